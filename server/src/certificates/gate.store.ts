import { productRows } from '../catalogue/index.js';
import { type Organization, organizationRows } from '../organizations/index.js';
import { type Statement, statement, type Tx } from '../platform/database/index.js';
import type { Subject } from './certificate.js';
import { coverageTraits } from './certificate-rows.js';
import type { GateFacts } from './gate.rules.js';

export interface GateRecord extends GateFacts {
  mode: Organization['certificateGate'];
}

/** SQL for the subjects, as rows `s(subject_type, subject_code)`, and for the array of the codes of the products among them. */
interface SubjectSource {
  subjects: string;
  productCodes: string;
}

const recordOf = ({ subjects, productCodes }: SubjectSource) =>
  statement(`
  with own as (
    select c.subject_type, c.subject_code, c.type, c.certificate_no, c.state, c.valid_from, c.valid_to, c.superseded_from, c.coverage
    from ${subjects}
    join certificates c on c.org_id = $1 and c.subject_type = s.subject_type and c.subject_code = s.subject_code)
  select o.certificate_gate as mode, o.demanded_certificates as demanded,
    coalesce((select json_agg(json_build_object('subjectType', c.subject_type, 'subjectCode', c.subject_code, 'type', c.type,
        'certificateNo', c.certificate_no, 'state', c.state, 'validFrom', c.valid_from, 'validTo', c.valid_to,
        'supersededFrom', c.superseded_from, 'coverage', c.coverage)) from own c), '[]') as certificates,
    coalesce((select json_agg(${coverageTraits('p')}) from ${productRows('$1')} p
      where p.product_code = any(${productCodes}) and exists (select from own c where c.coverage is not null)), '[]') as products
  from ${organizationRows('$1')} o`);
const ofSubjects = recordOf({
  subjects: 'unnest($2::text[], $3::text[]) as s(subject_type, subject_code)',
  productCodes: '$4',
});

/** Everything on record about these subjects, and what the organization requires of them, in one statement. */
export async function readGateRecord(tx: Tx, subjects: readonly Subject[]): Promise<GateRecord> {
  return readRecord(tx, ofSubjects, [
    subjects.map((subject) => subject.type),
    subjects.map((subject) => subject.code),
    subjects.flatMap((subject) => (subject.type === 'product' ? [subject.code] : [])),
  ]);
}

/** SQL arrays that select the partners of documents, all of one type, and their products. `$1` is the organization. */
export interface DocumentSubjects {
  partnerType: 'customer' | 'supplier';
  partnerCodes: string;
  productCodes: string;
}

/** Reads the same of documents whose subjects the caller does not know yet. */
export function gateRecordReader({ partnerType, partnerCodes, productCodes }: DocumentSubjects) {
  const ofDocuments = recordOf({
    subjects: `(select '${partnerType}' as subject_type, unnest(${partnerCodes}) as subject_code
      union select 'product', unnest(${productCodes})) s`,
    productCodes,
  });
  return (tx: Tx, values: readonly unknown[]) => readRecord(tx, ofDocuments, values);
}

async function readRecord(tx: Tx, record: Statement, values: readonly unknown[]): Promise<GateRecord> {
  const [row] = await tx.query<GateRecord>(record, [tx.orgId, ...values]);
  if (!row) throw new Error('organization of the transaction not found');
  return row;
}
