import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, openTestService } from '../harness/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

async function must<D>(method: string, path: string, body: object = {}): Promise<D> {
  const answer = await service.call<D>(method, path, method === 'GET' ? undefined : body);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
}

async function newCertificate(certificateNo: string): Promise<string> {
  const { certificateId } = await must<{ certificateId: string }>('POST', '/v2/certificates', {
    ...{ certificateNo, type: certificateNo, subjectType: 'product', subjectCode: GTIN },
    ...{ issuer: 'authority', validFrom: '2024-01-01', validTo: '2029-01-01' },
  });
  return certificateId;
}

/** Takes the schema back to what it was before, with the rows as the version before wrote them. */
async function takeBack(): Promise<void> {
  for (const statement of [
    'drop table certificate_status_changes',
    'alter table holds drop column category, drop column split_from',
    'alter table movements drop column hold_id',
    'drop index balances_stocked',
    'alter table holds drop constraint holds_alert_check, drop constraint holds_source_check, drop column alert_id',
    `update holds set source = 'manual' where source in ('environment', 'unmatched_return')`,
    `alter table holds add constraint holds_source_check check (source in ('manual', 'recall', 'return'))`,
    `delete from schema_migrations where name like '0015%' or name like '0023%'`,
  ])
    await service.db.sql(statement);
}

describe('an installation that is upgraded', () => {
  it('labels the holds of its alerts, and finds the history of its certificates in the audit trail', async () => {
    await must('PUT', '/v2/products/TENDER', { productName: 'Tender', storage: { temperatureMax: 8 } });
    const stock = { productCode: 'TENDER', warehouse: 'WH-1', batchNo: 'B1', expiryDate: '2030-01-01' };
    await must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 5, reason: 'opening stock' });
    const limits = { name: 'Cold room', warehouse: 'WH-1', temperature: { min: 2, max: 8 } };
    await must('PUT', '/v2/environment/points/P-1', limits);
    const readings = [{ pointId: 'P-1', at: '2026-11-15T09:00:00Z', temperature: 12 }];
    const { alerts } = await must<{ alerts: string[] }>('POST', '/v2/environment/readings', { readings });
    await must('POST', `/v2/environment/alerts/${alerts[0]}/hold`);
    await must('POST', '/v2/stock/holds', { productCode: 'TENDER', batchNo: 'B1', reason: 'by hand' });
    const recall = { recallNo: 'R-1', productCode: 'TENDER', batchNos: ['B1'], class: 'II', reason: 'look' };
    await must('POST', '/v2/recalls', recall);

    const lifted = await newCertificate('LIFTED');
    await must('POST', `/v2/certificates/${lifted}/suspend`, { reason: 'inspection' });
    service.db.clock.advance(3_600_000);
    await must('POST', `/v2/certificates/${lifted}/reinstate`);
    const renewed = await newCertificate('RENEWED');
    await must('POST', `/v2/certificates/${renewed}/renew`, {
      validFrom: '2028-01-01',
      validTo: '2033-01-01',
    });
    const unrecorded = await newCertificate('UNRECORDED');
    await must('POST', `/v2/certificates/${unrecorded}/revoke`, { reason: 'withdrawn' });

    const history = async (certificateId: string) =>
      (await must<{ statusHistory: object[] }>('GET', `/v2/certificates/${certificateId}`)).statusHistory;
    const before = await Promise.all([lifted, renewed].map(history));
    await service.db.sql(`delete from audit_entries where entity_id = $1 and action = 'certificate.revoke'`, [
      unrecorded,
    ]);
    await takeBack();
    await service.db.another();

    const { items } = await must<{ items: { category: string; source: string; alertId: string | null }[] }>(
      'GET',
      '/v2/stock/holds?productCode=TENDER',
    );
    expect(items.map(({ category, source, alertId }) => [category, source, alertId]).sort()).toEqual([
      ['environment', 'environment', alerts[0]],
      ['logistics', 'manual', null],
      ['recall', 'recall', null],
    ]);
    expect(before.map((changes) => changes.length)).toEqual([2, 1]);
    expect(await Promise.all([lifted, renewed].map(history))).toEqual(before);
    expect(await history(unrecorded)).toEqual([
      expect.objectContaining({ previousStatus: 'active', currentStatus: 'revoked', reason: 'withdrawn' }),
    ]);
  });
});
