import { publishedRows } from '../platform/database/index.js';

export const userRows = publishedRows('select org_id, email, role, status, daily_digest from users');
