import type { Matches } from '../indexing/index.js';
import { addDays } from '../platform/calendar/index.js';
import { countRows, Filter, type ListPage, type Pool, unnamedStatement } from '../platform/database/index.js';
import {
  type CertificateStatus,
  type NamedCertificate,
  SUBJECT_TYPES,
  type SubjectType,
} from './certificate.js';
import { EXPIRING_DAYS, subjectCodeOf } from './certificate.rules.js';
import { certificateColumns } from './certificate.store.js';

export interface CertificateFilter {
  /** Found by text: certificates, or their subjects. */
  matches?: Matches<'certificate' | 'product' | 'partner'> | undefined;
  certificateNo?: string | undefined;
  subjectType?: readonly SubjectType[] | undefined;
  subjectCode?: string | undefined;
  type?: string | undefined;
  status?: readonly CertificateStatus[] | undefined;
  expiringWithinDays?: number | undefined;
}

export interface CertificatePage {
  orgId: string;
  today: string;
  filter: CertificateFilter;
  /** Customers' certificates are not for everybody. */
  withCustomers: boolean;
  page: ListPage;
}

const NO_END = '9999-12-31';
const FIRST_DAY = '2000-01-01';
/** Added to the days of certificates that no longer need a renewal, so that they sort after all others. */
const ENDED = 10_000_000;
const DAY_MS = 86_400_000;
// As in the index `certificates_by_expiry`.
const byExpiry = `coalesce(c.valid_to, date '${NO_END}') - date '${FIRST_DAY}' + case when c.state in ('revoked', 'superseded') then ${ENDED} else 0 end`;
/** The same value for a row, for the cursor. */
export const expiryKey = ({ state, validTo }: NamedCertificate): string => {
  const days = (Date.parse(validTo ?? NO_END) - Date.parse(FIRST_DAY)) / DAY_MS;
  return String(days + (state === 'revoked' || state === 'superseded' ? ENDED : 0));
};

/** Rows read in list order before the query by dates takes over. */
const WALKED_MAX = 2_000;

/**
 * Lists by id, last change or expiry. For a status that depends on dates, the planner cannot know where in that order the
 * matches are, and could walk the whole list to find them at its end. So the next few rows are read first, which usually
 * fills a page; only if they do not is the index of dates used, for all rows together.
 */
export async function listCertificates(reader: Pool, asked: CertificatePage): Promise<NamedCertificate[]> {
  const { conditions, order, dates, narrow } = conditionsOf(asked);
  const { where, values } = conditions;
  // A single plan for all dates and types would be bad for most.
  const read = (ids: string) => reader.query<NamedCertificate>(unnamedStatement(pageOf(ids, order)), values);
  const ordered = (conditions: string) =>
    `select c.certificate_id from certificates c where ${conditions} order by ${order} limit $2`;
  const dated = dates.join(' and ');
  if (asked.page.onCount !== undefined) {
    const counted = `select from certificates c where ${[where, ...dates].join(' and ')} limit $2`;
    asked.page.onCount(await countRows(reader, conditions, counted));
    return [];
  }
  if (dates.length === 0) return read(ordered(where));
  const near = await read(`
    select c.certificate_id from (select c.certificate_id, c.updated_at, c.state, c.valid_from, c.valid_to
      from certificates c where ${where} order by ${order} limit ${WALKED_MAX}) c
    where ${dated} order by ${order} limit $2`);
  if (near.length === asked.page.limit) return near;
  if (!narrow) return read(ordered(`${where} and ${dated}`));
  // `offset 0` stops the planner from walking in list order anyway.
  return read(`
    select c.certificate_id from (select c.certificate_id, c.updated_at, c.state, c.valid_to from certificates c
      where ${where} and ${dated} offset 0) c
    order by ${order} limit $2`);
}

const pageOf = (ids: string, order: string): string => `select ${certificateColumns} from (${ids}) page
  join certificates c on c.org_id = $1 and c.certificate_id = page.certificate_id order by ${order}`;

/** `dates`: conditions on dates, kept separate; `narrow`: they leave a range that the index of dates can serve. */
function conditionsOf({ orgId, today, filter, withCustomers, page }: CertificatePage) {
  const { status, expiringWithinDays } = filter;
  const values: unknown[] = [orgId, page.limit];
  const isDecided = status?.every((each) => DECIDED.has(each)) ?? false;
  const first = [
    'c.org_id = $1',
    ...(status && isDecided ? [hasState(status)] : []),
    ...subjectsOf(filter, withCustomers, values),
  ];
  const conditions = new Filter(first.join(' and '), values);
  const order = conditions.page(page, {
    id: 'c.certificate_id',
    direction: 'asc',
    updatedAt: 'c.updated_at',
    sorts: { validTo: byExpiry },
  });
  const { matches } = filter;
  conditions.either([
    { 'c.certificate_id': matches?.certificate },
    { 'c.subject_code': matches && [...matches.product, ...matches.partner] },
  ]);
  conditions.and('c.certificate_no = ?', filter.certificateNo);
  conditions.and('c.type = ?', filter.type);
  const day: Day = (days) => `$${conditions.values.push(addDays(today, days))}::date`;
  const dates: string[] = [];
  if (expiringWithinDays !== undefined)
    dates.push(`c.state = 'active' and c.valid_to between ${day(0)} and ${day(expiringWithinDays)}`);
  if (status && !isDecided) dates.push(either(status.map((each) => conditionOf(each, day))));
  return { conditions, order, dates, narrow: !status?.includes('valid') || expiringWithinDays !== undefined };
}

/** A parameter with the day this many days from today. */
type Day = (days: number) => string;

const DECIDED: ReadonlySet<CertificateStatus> = new Set(['suspended', 'revoked', 'superseded']);

// States are literals, not parameters, because partial indexes exist for them.
const hasState = (states: readonly CertificateStatus[]): string =>
  states.length === 1
    ? `c.state = '${states[0]}'`
    : `c.state in (${states.map((state) => `'${state}'`).join(', ')})`;

function conditionOf(status: CertificateStatus, day: Day): string {
  if (DECIDED.has(status)) return hasState([status]);
  const active = `c.state = 'active'`;
  if (status === 'expired') return `${active} and c.valid_to < ${day(0)}`;
  if (status === 'not_yet_valid') return `${active} and c.valid_from > ${day(0)}`;
  const until = `${active} and c.valid_from <= ${day(0)}`;
  return status === 'expiring'
    ? `${until} and c.valid_to between ${day(0)} and ${day(EXPIRING_DAYS)}`
    : `${until} and (c.valid_to is null or c.valid_to > ${day(EXPIRING_DAYS)})`;
}

const either = (conditions: readonly string[]): string =>
  conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.map((each) => `(${each})`).join(' or ')})`;

function subjectsOf(filter: CertificateFilter, withCustomers: boolean, values: unknown[]): string[] {
  const { subjectType, subjectCode } = filter;
  const types = SUBJECT_TYPES.filter(
    (type) => (subjectType?.includes(type) ?? true) && (withCustomers || type !== 'customer'),
  );
  if (types.length === 0) return ['false'];
  const among = (some: readonly SubjectType[]) =>
    `c.subject_type in (${some.map((type) => `'${type}'`).join(', ')})`;
  if (subjectCode === undefined) return types.length < SUBJECT_TYPES.length ? [among(types)] : [];
  // Product codes are stored in another form than partner codes, although the two mostly agree.
  const codeOf = (type: SubjectType) => subjectCodeOf(type, subjectCode);
  const byCode = [...new Set(types.map(codeOf))].map((code) => {
    const own = types.filter((type) => codeOf(type) === code);
    return `${among(own)} and c.subject_code = $${values.push(code)}`;
  });
  return [either(byCode)];
}
