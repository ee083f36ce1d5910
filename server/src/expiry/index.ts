export { nearExpiryNoticeRows } from './near-expiry-rows.js';
export {
  noticeCorrectedExpiry,
  noticeNearExpiry,
  noticeNearExpirySince,
  noticeRangeChange,
} from './notice-near-expiry.js';
