import { attachFile } from '../access/documents.js';
import type { TestApi, TestOrganization } from '../harness/index.js';

/** A certificate with a file that was corrected and suspended. */
export async function furnishCertificates(
  from: { api: TestApi },
  org: TestOrganization,
  must: <D>(path: string, body: object, method?: string) => Promise<D>,
): Promise<void> {
  const licence = {
    ...{ certificateNo: 'L-1', type: 'licence', subjectType: 'supplier', subjectCode: 'SUP-1' },
    ...{ issuer: 'Office', validFrom: '2026-01-01', validTo: '2026-12-01' },
  };
  const { certificateId } = await must<{ certificateId: string }>('/v2/certificates', licence);
  const covering = { ...licence, coverage: [{ riskClasses: ['II'] }] };
  await must(`/v2/certificates/${certificateId}`, covering, 'PUT');
  await attachFile(from.api, org.key, certificateId, 'licence');
  await must(`/v2/certificates/${certificateId}/suspend`, { reason: 'inspection' });
}
