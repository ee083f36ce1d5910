import { addDays } from '../platform/calendar/index.js';
import { Filter, type Pool, unnamedStatement } from '../platform/database/index.js';
import {
  type CertificateStatus,
  type NamedCertificate,
  SUBJECT_TYPES,
  type SubjectType,
} from './certificate.js';
import { EXPIRING_DAYS, subjectCodeOf } from './certificate.rules.js';
import { certificateColumns } from './certificate.store.js';

export interface CertificateFilter {
  certificateNo?: string | undefined;
  subjectType?: SubjectType | undefined;
  subjectCode?: string | undefined;
  type?: string | undefined;
  status?: CertificateStatus | undefined;
  expiringWithinDays?: number | undefined;
}

export interface CertificatePage {
  orgId: string;
  today: string;
  filter: CertificateFilter;
  /** Customers' certificates are not for everybody. */
  withCustomers: boolean;
  after: string | null;
  limit: number;
}

/** How far the register is walked before the dates are asked instead. */
const WALKED_MAX = 2_000;

/**
 * In the order of ids. A status that dates decide is a condition of which the planner cannot know where in that order
 * it holds: it would walk from the beginning although all that matches stands at the end. So the next few are looked
 * at first, which is where a page usually ends; only when they do not fill it the dates are asked, for all at once.
 */
export async function listCertificates(reader: Pool, page: CertificatePage): Promise<NamedCertificate[]> {
  const { conditions, dates, narrow } = conditionsOf(page);
  const { where, values } = conditions;
  // One plan for all dates and types would be bad for most.
  const read = (ids: string) => reader.query<NamedCertificate>(unnamedStatement(pageOf(ids)), values);
  const ordered = (conditions: string) =>
    `select c.certificate_id from certificates c where ${conditions} order by c.certificate_id limit $2`;
  if (dates.length === 0) return read(ordered(where));
  const dated = dates.join(' and ');
  const near = await read(`
    select c.certificate_id from (select c.certificate_id, c.state, c.valid_from, c.valid_to from certificates c where ${where}
      order by c.certificate_id limit ${WALKED_MAX}) c
    where ${dated} order by c.certificate_id limit $2`);
  if (near.length === page.limit) return near;
  if (!narrow) return read(ordered(`${where} and ${dated}`));
  // `offset 0` keeps the planner from walking in the order of ids after all.
  return read(`
    select c.certificate_id from (select c.certificate_id from certificates c where ${where} and ${dated} offset 0) c
    order by c.certificate_id limit $2`);
}

const pageOf = (ids: string): string => `select ${certificateColumns} from (${ids}) page
  join certificates c on c.org_id = $1 and c.certificate_id = page.certificate_id order by c.certificate_id`;

/** `dates`: what is asked of them, apart; `narrow`: they leave a range that the index of dates can answer. */
function conditionsOf({ orgId, today, filter, withCustomers, after, limit }: CertificatePage) {
  const { status, expiringWithinDays } = filter;
  const values: unknown[] = [orgId, limit];
  const first = [
    'c.org_id = $1',
    ...(isDecided(status) ? [`c.state = '${status}'`] : []),
    ...subjectsOf(filter, withCustomers, values),
  ];
  const conditions = new Filter(first.join(' and '), values);
  conditions.and('c.certificate_id > ?', after);
  conditions.and('c.certificate_no = ?', filter.certificateNo);
  conditions.and('c.type = ?', filter.type);
  const day = (days: number) => `$${conditions.values.push(addDays(today, days))}::date`;
  // States are written out, not given as parameters: indexes are made for them.
  const dates: string[] = [];
  if (expiringWithinDays !== undefined || (status && !isDecided(status))) dates.push("c.state = 'active'");
  if (expiringWithinDays !== undefined)
    dates.push(`c.valid_to between ${day(0)} and ${day(expiringWithinDays)}`);
  if (status === 'expired') dates.push(`c.valid_to < ${day(0)}`);
  if (status === 'expiring')
    dates.push(`c.valid_from <= ${day(0)} and c.valid_to between ${day(0)} and ${day(EXPIRING_DAYS)}`);
  if (status === 'valid')
    dates.push(`c.valid_from <= ${day(0)} and (c.valid_to is null or c.valid_to > ${day(EXPIRING_DAYS)})`);
  if (status === 'not_yet_valid') dates.push(`c.valid_from > ${day(0)}`);
  return { conditions, dates, narrow: status !== 'valid' || expiringWithinDays !== undefined };
}

const isDecided = (status: CertificateStatus | undefined): boolean =>
  status === 'suspended' || status === 'revoked' || status === 'superseded';

function subjectsOf(filter: CertificateFilter, withCustomers: boolean, values: unknown[]): string[] {
  const { subjectType, subjectCode } = filter;
  const types = SUBJECT_TYPES.filter(
    (type) => (subjectType === undefined || type === subjectType) && (withCustomers || type !== 'customer'),
  );
  if (types.length === 0) return ['false'];
  const among = (some: readonly SubjectType[]) =>
    `c.subject_type in (${some.map((type) => `'${type}'`).join(', ')})`;
  if (subjectCode === undefined) return types.length < SUBJECT_TYPES.length ? [among(types)] : [];
  // Codes of products are kept in another form than those of partners, though mostly it is the same.
  const codeOf = (type: SubjectType) => subjectCodeOf(type, subjectCode);
  const either = [...new Set(types.map(codeOf))].map((code) => {
    const own = types.filter((type) => codeOf(type) === code);
    return `(${among(own)} and c.subject_code = $${values.push(code)})`;
  });
  return [either.length === 1 ? (either[0] ?? '') : `(${either.join(' or ')})`];
}
