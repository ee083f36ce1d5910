import { publishedRows } from '../platform/database/index.js';

export const organizationRows = publishedRows(`
  select org_id, code, time_zone, status, same_person_recheck, certificate_gate, demanded_certificates, books_from
  from organizations`);
