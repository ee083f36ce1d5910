export { noticeNearExpiry, noticeNearExpirySince, noticeRangeChange } from './notice-near-expiry.js';
