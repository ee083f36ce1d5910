import { partnerRows, productRows } from '../catalogue/index.js';
import { noteSearchable } from '../indexing/index.js';
import {
  bulkRows,
  organizationRow,
  type Pool,
  statement,
  type Tx,
  violatedConstraint,
} from '../platform/database/index.js';
import { refuseCertificate } from './certificate.errors.js';
import type { Certificate, CertificateSubject, NamedCertificate } from './certificate.js';
import { insertCoverageChanges } from './coverage-change.store.js';

/** The name of the product or partner of the certificate `c`. */
export const subjectName = `coalesce((select p.product_name from ${productRows('$1')} p where p.product_code = c.product_code),
    (select q.name from ${partnerRows('$1')} q where q.code = c.partner_code))`;
export const certificateColumns = `c.certificate_id as "certificateId", c.certificate_no as "certificateNo", c.type,
  c.subject_type as "subjectType", c.subject_code as "subjectCode", c.issuer, c.jurisdiction, c.scope, c.issued_on as "issuedOn",
  c.valid_from as "validFrom", c.valid_to as "validTo", c.state, c.state_reason as "stateReason",
  c.superseded_by as "supersededBy", c.superseded_from as "supersededFrom", c.coverage, c.document_url as "documentUrl",
  c.document_hash as "documentHash", c.version, c.created_at as "createdAt", c.created_by as "createdBy", c.updated_at as "updatedAt",
  ${subjectName} as "subjectName"`;
const byId = statement(
  `select ${certificateColumns} from certificates c where c.org_id = $1 and c.certificate_id = $2`,
);
const lock = statement('select 1 from certificates where org_id = $1 and certificate_id = $2 for update');

export async function readCertificate(
  reader: Pool,
  orgId: string,
  certificateId: string,
): Promise<NamedCertificate | null> {
  const [row] = await reader.query<NamedCertificate>(byId, [orgId, certificateId]);
  return row ?? null;
}

export async function findCertificate(tx: Tx, certificateId: string): Promise<NamedCertificate | null> {
  const [row] = await tx.query<NamedCertificate>(byId, [tx.orgId, certificateId]);
  return row ?? null;
}

/** Locks before it reads: a statement that waited for the lock would return the state from before the wait. */
export async function lockCertificate(tx: Tx, certificateId: string): Promise<NamedCertificate | null> {
  const found = await tx.query(lock, [tx.orgId, certificateId]);
  return found.length > 0 ? findCertificate(tx, certificateId) : null;
}

const inForce = statement(`
  select ${certificateColumns} from certificates c
  where c.org_id = $1 and c.state = 'active' and (c.valid_to is null or c.valid_to >= $2) order by c.certificate_id limit $3`);

/** The oldest certificates that are neither suspended nor expired. */
export async function listCertificatesInForce(tx: Tx, limit: number): Promise<NamedCertificate[]> {
  return tx.query<NamedCertificate>(inForce, [tx.orgId, tx.today, limit]);
}

export type CurrentKey = CertificateSubject & Pick<Certificate, 'certificateNo'>;

export const keyText = ({ subjectType, subjectCode, type, certificateNo }: CurrentKey): string =>
  JSON.stringify([subjectType, subjectCode, type, certificateNo]);

/** The key that a `keyText` was made of. */
export function keyOfText(text: string): CurrentKey {
  const [subjectType, subjectCode, type, certificateNo] = JSON.parse(text) as [
    CurrentKey['subjectType'],
    string,
    string,
    string,
  ];
  return { subjectType, subjectCode, type, certificateNo };
}

const keyColumns = bulkRows({
  subject_type: 'text',
  subject_code: 'text',
  type: 'text',
  certificate_no: 'text',
});
const current = (columns: string) => `
  select ${columns} from ${keyColumns.from('k', 2)}
  join certificates c on c.org_id = $1 and c.subject_type = k.subject_type and c.subject_code = k.subject_code
    and c.type = k.type and c.certificate_no = k.certificate_no and c.state in ('active', 'suspended')
  order by c.certificate_id`;
const lockByKeys = statement(`${current('c.certificate_id as "certificateId"')} for update of c`);
const readByKeys = statement(current(certificateColumns));

/** The current certificates with these subjects, types and numbers, locked; by `keyText`. */
export async function lockCurrent(tx: Tx, keys: readonly CurrentKey[]): Promise<Map<string, Certificate>> {
  const values = [
    tx.orgId,
    ...keyColumns.values(keys, (key) => ({
      subject_type: key.subjectType,
      subject_code: key.subjectCode,
      type: key.type,
      certificate_no: key.certificateNo,
    })),
  ];
  const locked = await tx.query(lockByKeys, values);
  if (locked.length === 0) return new Map();
  const rows = await tx.query<Certificate>(readByKeys, values);
  return new Map(rows.map((row) => [keyText(row), row]));
}

const recordset = `jsonb_to_recordset($2::jsonb) as n("certificateId" text, "certificateNo" text, type text, "subjectType" text,
    "subjectCode" text, issuer text, jurisdiction text, scope text, "issuedOn" date, "validFrom" date, "validTo" date, state text,
    coverage jsonb, "documentUrl" text, "documentHash" text, version integer, "createdAt" timestamptz, "createdBy" text, "updatedAt" timestamptz)`;
const insertInto = `insert into certificates (org_id, certificate_id, certificate_no, type, subject_type, subject_code, issuer,
    jurisdiction, scope, issued_on, valid_from, valid_to, state, coverage, document_url, document_hash, version, created_at,
    created_by, updated_at)
  select g.org_id, n."certificateId", n."certificateNo", n.type, n."subjectType", n."subjectCode", n.issuer, n.jurisdiction, n.scope,
    n."issuedOn", n."validFrom", n."validTo", n.state, n.coverage, n."documentUrl", n."documentHash", n.version, n."createdAt",
    n."createdBy", n."updatedAt"
  from ${organizationRow('g')}, ${recordset}`;
const insertNew = statement(`${insertInto}
  order by n."subjectType", n."subjectCode", n.type, n."certificateNo"
  on conflict (org_id, subject_type, subject_code, type, certificate_no) where state in ('active', 'suspended') do nothing
  returning certificate_id as "certificateId"`);

/** Returns the ids written; skips a certificate that its subject already has. */
export async function insertCertificates(tx: Tx, certificates: readonly Certificate[]): Promise<Set<string>> {
  if (certificates.length === 0) return new Set();
  const rows = await tx.query<{ certificateId: string }>(insertNew, [tx.orgId, JSON.stringify(certificates)]);
  const made = rows.map((row) => row.certificateId);
  noteSearchable(tx, 'certificate', made);
  return new Set(made);
}

const replaceAll = statement(`
  update certificates c set certificate_no = n."certificateNo", issuer = n.issuer, jurisdiction = n.jurisdiction, scope = n.scope,
    issued_on = n."issuedOn", valid_from = n."validFrom", valid_to = n."validTo", coverage = n.coverage, document_url = n."documentUrl",
    document_hash = n."documentHash", version = n.version, updated_at = n."updatedAt"
  from ${recordset} where c.org_id = $1 and c.certificate_id = n."certificateId"`);

/** Writes the content of certificates that are locked, and notes what they covered before. */
export async function replaceCertificates(tx: Tx, certificates: readonly Certificate[]): Promise<void> {
  if (certificates.length === 0) return;
  insertCoverageChanges(tx, certificates);
  noteSearchable(
    tx,
    'certificate',
    certificates.map(({ certificateId }) => certificateId),
  );
  await refusingTwins(() => tx.query(replaceAll, [tx.orgId, JSON.stringify(certificates)]));
}

const saveState = statement(`
  update certificates set state = $3, state_reason = $4, version = $5, updated_at = $6
  where org_id = $1 and certificate_id = $2`);

export async function saveCertificateState(tx: Tx, certificate: Certificate): Promise<void> {
  const { certificateId, state, stateReason, version, updatedAt } = certificate;
  tx.send(saveState, [tx.orgId, certificateId, state, stateReason, version, updatedAt]);
}

// The new certificate may have the number of the old one, and the old one names the new one: each would have to be written
// first. So the old one names itself until the new one exists.
const stepAside = statement(`
  update certificates set state = 'superseded', state_reason = null, superseded_by = certificate_id, superseded_from = $3,
    version = $4, updated_at = $5
  where org_id = $1 and certificate_id = $2`);
const insertRenewed = statement(`${insertInto} returning 1`);
const nameSuccessor = statement(`
  update certificates set superseded_by = $3 where org_id = $1 and certificate_id = $2`);

export async function saveRenewal(tx: Tx, old: Certificate, renewed: Certificate): Promise<void> {
  const { certificateId, supersededBy, supersededFrom, version, updatedAt } = old;
  tx.send(stepAside, [tx.orgId, certificateId, supersededFrom, version, updatedAt]);
  await refusingTwins(() => tx.query(insertRenewed, [tx.orgId, JSON.stringify([renewed])]));
  tx.send(nameSuccessor, [tx.orgId, certificateId, supersededBy]);
  noteSearchable(tx, 'certificate', [renewed.certificateId]);
}

async function refusingTwins(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (violatedConstraint(error) === 'certificates_current_key')
      throw refuseCertificate('certificate_exists', '/certificateNo');
    throw error;
  }
}
