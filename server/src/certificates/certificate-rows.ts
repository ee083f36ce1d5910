import { publishedRows } from '../platform/database/index.js';

export const certificateRows = publishedRows(`
  select org_id, certificate_id, certificate_no, type, subject_type, subject_code, product_code, partner_code, issuer,
    valid_from, valid_to, state, superseded_from, coverage, created_at
  from certificates`);

export const certificateStatusChangeRows = publishedRows(
  'select org_id, certificate_id, version, previous_state, changed_at from certificate_status_changes',
);

export const certificateCoverageChangeRows = publishedRows(
  'select org_id, certificate_id, version, previous_coverage, changed_at from certificate_coverage_changes',
);

/** The traits of a row of `productRows` by which a certificate covers it or not, as JSON. */
export const coverageTraits = (product: string): string =>
  `json_build_object('productCode', ${product}.product_code, 'riskClass', ${product}.risk_class, 'category', ${product}.category,
    'sterile', ${product}.sterile, 'implantable', ${product}.implantable, 'temperatureMax', ${product}.temperature_max)`;
