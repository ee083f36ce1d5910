import { publishedRows } from '../platform/database/index.js';

export const organizationRows = publishedRows(`
  select org_id, code, time_zone, sandbox_of, days_ahead, status, same_person_recheck, certificate_gate, demanded_certificates, books_from
  from organizations`);

/** The calendar of the organization `o`, as a principal has it. */
export const calendarColumns = `o.time_zone as "timeZone",
  case when o.sandbox_of is null then null else json_build_object('daysAhead', o.days_ahead) end as sandbox`;
