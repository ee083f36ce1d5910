export {
  noticeCorrectedExpiry,
  noticeNearExpiry,
  noticeNearExpirySince,
  noticeRangeChange,
} from './notice-near-expiry.js';
