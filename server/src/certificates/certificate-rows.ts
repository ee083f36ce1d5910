import { publishedRows } from '../platform/database/index.js';

export const certificateRows = publishedRows(`
  select org_id, certificate_id, certificate_no, type, subject_type, subject_code, product_code, partner_code, issuer,
    valid_from, valid_to, state, superseded_from
  from certificates`);

export const certificateStatusChangeRows = publishedRows(
  'select org_id, certificate_id, version, previous_state, changed_at from certificate_status_changes',
);
