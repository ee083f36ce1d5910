import { type DemandedCertificate, type Organization, organizationRows } from '../organizations/index.js';
import { statement, type Tx } from '../platform/database/index.js';
import type { Subject } from './certificate.js';
import type { GateCertificate } from './gate.rules.js';

export interface GateRecord {
  mode: Organization['certificateGate'];
  demanded: DemandedCertificate[];
  certificates: GateCertificate[];
}

const record = statement(`
  select o.certificate_gate as mode, o.demanded_certificates as demanded,
    coalesce((select json_agg(json_build_object('subjectType', c.subject_type, 'subjectCode', c.subject_code, 'type', c.type,
        'certificateNo', c.certificate_no, 'state', c.state, 'validFrom', c.valid_from, 'validTo', c.valid_to,
        'supersededFrom', c.superseded_from))
      from unnest($2::text[], $3::text[]) as s(subject_type, subject_code)
      join certificates c on c.org_id = $1 and c.subject_type = s.subject_type and c.subject_code = s.subject_code), '[]')
      as certificates
  from ${organizationRows('$1')} o`);

/** All that is on record about these subjects, and what the organization wants of them, in one statement. */
export async function readGateRecord(tx: Tx, subjects: readonly Subject[]): Promise<GateRecord> {
  const [row] = await tx.query<GateRecord>(record, [
    tx.orgId,
    subjects.map((subject) => subject.type),
    subjects.map((subject) => subject.code),
  ]);
  if (!row) throw new Error('organization of the transaction not found');
  return row;
}
