import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, openTestService } from '../../test/harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
  // Certificate checks only warn here, so that goods move without a certificate in force and the trace can show it.
  await must('PATCH', '/v2/settings', { certificateGate: 'warn' });
});
afterAll(() => service.close());

async function must<D = { certificateId: string }>(method: string, path: string, body: object = {}) {
  const answer = await service.call<D>(method, path, method === 'GET' ? undefined : body);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

let made = 0;
const newCertificate = (more: object = {}) =>
  must('POST', '/v2/certificates', {
    ...{ certificateNo: `C-${++made}`, type: `type-${made}`, subjectType: 'product', subjectCode: GTIN },
    ...{ issuer: 'authority', validFrom: '2024-01-01', validTo: '2029-01-01', ...more },
  });
const decide = (certificateId: string, decision: string, body: object = { reason: 'inspection' }) =>
  must('POST', `/v2/certificates/${certificateId}/${decision}`, body);
const later = () => service.db.clock.advance(3_600_000);

interface TracedStep {
  step: string;
  certificates: string[];
  notCovering: string[];
}

/** Receives a batch and returns the certificates that its trace lists for that step. */
async function received(): Promise<() => Promise<string[]>> {
  const step = await receivedStep();
  return async () => (await step()).certificates;
}

/** Receives a batch and returns that step of its trace. */
async function receivedStep(): Promise<() => Promise<TracedStep>> {
  later();
  const batchNo = `B-${++made}`;
  const line = { lineNo: 1, productCode: GTIN, batchNo, expiryDate: '2028-01-01', quantity: 1 };
  const head = { receiptNo: `R-${batchNo}`, supplierCode: 'SUP-1', warehouse: 'WH-1' };
  const { receiptId } = await must<{ receiptId: string }>('POST', '/v2/receipts', { ...head, lines: [line] });
  const lines = [{ lineNo: 1, acceptedQuantity: 1, rejectedQuantity: 0 }];
  await must('POST', `/v2/receipts/${receiptId}/acceptance`, { lines });
  later();
  return async () => {
    const trace = await must<{ chain: { items: TracedStep[] } }>(
      'GET',
      `/v2/udi?code=${encodeURIComponent(`(01)${GTIN}(10)${batchNo}`)}`,
    );
    const step = trace.chain.items.find(({ step }) => step === 'received');
    if (!step) throw new Error('the batch was not received');
    return step;
  };
}

describe('the certificates in force at a hand-over', () => {
  it('do not change with later decisions, nor with a suspension that was lifted', async () => {
    const { certificateId } = await newCertificate();
    const no = `C-${made}`;
    const before = await received();
    await decide(certificateId, 'suspend');
    const during = await received();
    await decide(certificateId, 'reinstate');
    const after = await received();
    await decide(certificateId, 'revoke');
    const atLast = await received();
    expect([
      (await before()).includes(no),
      (await during()).includes(no),
      (await after()).includes(no),
      (await atLast()).includes(no),
    ]).toEqual([true, false, true, false]);
  });

  it('do not change with a correction made during a suspension', async () => {
    const { certificateId } = await newCertificate();
    const no = `C-${made}`;
    await decide(certificateId, 'suspend');
    const during = await received();
    await must('PUT', `/v2/certificates/${certificateId}`, {
      certificateNo: no,
      issuer: 'another authority',
      validFrom: '2024-01-01',
      validTo: '2029-01-01',
    });
    expect((await during()).includes(no)).toBe(false);
  });

  it('leave out a certificate that was suspended and then renewed, from the suspension on', async () => {
    const { certificateId } = await newCertificate();
    const no = `C-${made}`;
    const before = await received();
    await decide(certificateId, 'suspend');
    const during = await received();
    await decide(certificateId, 'renew', {
      certificateNo: `${no}-NEXT`,
      validFrom: '2028-06-01',
      validTo: '2033-01-01',
    });
    const after = await received();
    expect([
      (await before()).includes(no),
      (await during()).includes(no),
      (await after()).includes(no),
    ]).toEqual([true, false, false]);
  });

  it('include a superseded certificate until its renewal begins', async () => {
    const { certificateId } = await newCertificate();
    const no = `C-${made}`;
    await decide(certificateId, 'renew', { validFrom: '2028-06-01', validTo: '2033-01-01' });
    const after = await received();
    expect((await after()).includes(no)).toBe(true);
  });
});

describe('what the certificates in force at a hand-over covered', () => {
  const describeProduct = (part: object) =>
    must('PUT', `/v2/products/${GTIN}`, { productName: 'Stent', supplierCode: 'SUP-1', ...part });
  const content = (certificateNo: string, coverage: object[] | null) => ({
    ...{ certificateNo, issuer: 'authority', validFrom: '2024-01-01', validTo: '2029-01-01', coverage },
  });
  const shown = async (step: () => Promise<TracedStep>, no: string) => {
    const { certificates, notCovering } = await step();
    return [certificates.includes(no), notCovering.includes(no)];
  };

  it('is what they covered then, however often that is changed later', async () => {
    await describeProduct({ riskClass: 'III' });
    const { certificateId } = await newCertificate({
      ...{ subjectType: 'supplier', subjectCode: 'SUP-1' },
      coverage: [{ riskClasses: ['I'] }],
    });
    const no = `C-${made}`;
    const change = async (coverage: object[] | null) => {
      later();
      await must('PUT', `/v2/certificates/${certificateId}`, content(no, coverage));
    };
    const outside = await receivedStep();
    await change([{ riskClasses: ['III'] }]);
    const within = await receivedStep();
    await change([{ riskClasses: ['II'] }]);
    const outsideAgain = await receivedStep();
    await change(null);
    const unrestricted = await receivedStep();
    await change([{ riskClasses: ['I'] }]);
    expect([
      await shown(outside, no),
      await shown(within, no),
      await shown(outsideAgain, no),
      await shown(unrestricted, no),
    ]).toEqual([
      [true, true],
      [true, false],
      [true, true],
      [true, false],
    ]);
  });

  it('is asked only of certificates in force, and of those of the product too', async () => {
    await describeProduct({ riskClass: 'III' });
    const { certificateId } = await newCertificate({ coverage: [{ riskClasses: ['I'] }] });
    const no = `C-${made}`;
    const inForce = await receivedStep();
    await decide(certificateId, 'suspend');
    const suspended = await receivedStep();
    expect([await shown(inForce, no), await shown(suspended, no)]).toEqual([
      [true, true],
      [false, false],
    ]);
  });

  it('is judged by the product as it is described now', async () => {
    await describeProduct({ riskClass: 'III' });
    await newCertificate({ coverage: [{ riskClasses: ['III'] }] });
    const no = `C-${made}`;
    const step = await receivedStep();
    expect(await shown(step, no)).toEqual([true, false]);
    await describeProduct({ riskClass: 'II' });
    expect(await shown(step, no)).toEqual([true, true]);
  });
});

describe('the history of a certificate', () => {
  it('lists each status change with actor, time and reason', async () => {
    const { certificateId } = await newCertificate();
    const shown = async () =>
      (await must<{ statusHistory: object[] }>('GET', `/v2/certificates/${certificateId}`)).statusHistory;
    expect(await shown()).toEqual([]);
    await decide(certificateId, 'suspend', { reason: 'inspection' });
    const suspendedAt = service.db.clock.now().toISOString();
    later();
    await decide(certificateId, 'reinstate', {});
    const changedBy = `owner@${service.org.organization.code}.example`;
    expect(await shown()).toEqual([
      {
        ...{ previousStatus: 'active', currentStatus: 'suspended', changedBy, changedAt: suspendedAt },
        reason: 'inspection',
      },
      {
        ...{ previousStatus: 'suspended', currentStatus: 'active', changedBy },
        ...{ changedAt: service.db.clock.now().toISOString(), reason: null },
      },
    ]);
  });
});
