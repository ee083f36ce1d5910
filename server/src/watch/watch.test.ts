import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  newOrganization,
  openTestService,
  runCommand,
  startWorker,
  type TestOrganization,
} from '../../test/harness/index.js';
import { updateOrganization } from '../organizations/index.js';
import { chooseDigest, createUser } from '../people/index.js';
import { transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { performDailyRun, performDueDailyRuns, readDailyRunStates } from './index.js';

const PRODUCT = '06901234567892';
let service: Awaited<ReturnType<typeof openTestService>>;
let org: TestOrganization;

beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());
beforeEach(async () => {
  service.db.clock.set('2026-11-15T10:00:00Z');
  org = await newOrganization(service.db);
  await put('/v2/partners/SUP', { name: 'Acme', roles: ['supplier'] });
  await put('/v2/warehouses/WH', { name: 'Main' });
  await put(`/v2/products/${PRODUCT}`, { productName: 'Stent', nearExpiryDays: 30 });
});

const call = async <D = unknown>(method: string, path: string, body?: unknown): Promise<D> => {
  const answer = await service.api.call<D>(method, path, body, org.key);
  expect(answer.status, answer.text).toBe(200);
  return answer.data;
};
const put = (path: string, body: unknown) => call('PUT', path, body);
const stock = (batchNo: string, expiryDate: string, quantityDelta: number) =>
  call('POST', '/v2/stock/adjustments', {
    productCode: PRODUCT,
    warehouse: 'WH',
    batchNo,
    expiryDate,
    quantityDelta,
    reason: 'count',
  });
const certify = (certificateNo: string, validTo: string, more: object = {}) =>
  call<{ certificateId: string }>('POST', '/v2/certificates', {
    certificateNo,
    type: 'registration',
    subjectType: 'product',
    subjectCode: PRODUCT,
    issuer: 'authority',
    validFrom: '2024-01-01',
    validTo,
    ...more,
  });
const notified = async (eventType: string) =>
  (
    await call<{ items: { data: Record<string, unknown> }[] }>(
      'GET',
      `/v2/events?limit=200&eventType=${eventType}`,
    )
  ).items.map(({ data }) => data);
const runDaily = (database = service.db.database) =>
  performDueDailyRuns(database, {
    consoleUrl: 'https://lotward.example',
    onError: (error) => {
      throw error;
    },
  });

describe('certificates about to expire', () => {
  it('are notified about at once when added late, naming the missed thresholds', async () => {
    await certify('C-1', '2026-11-25');
    expect(await notified('certificate.expiring')).toEqual([
      expect.objectContaining({
        certificateNo: 'C-1',
        subjectType: 'product',
        subjectCode: PRODUCT,
        subjectName: 'Stent',
        validTo: '2026-11-25',
        daysRemaining: 10,
        threshold: 15,
        missedThresholds: [30],
      }),
    ]);
    await runDaily();
    await runDaily();
    expect(await notified('certificate.expiring')).toHaveLength(1);
  });

  it('are not notified about when they expired before they were added, belong to a customer, or are suspended', async () => {
    await put('/v2/partners/HOSP', { name: 'Hospital', roles: ['customer'] });
    await certify('C-1', '2026-11-14');
    await certify('C-2', '2026-11-20', { subjectType: 'customer', subjectCode: 'HOSP' });
    const { certificateId } = await certify('C-3', '2026-12-20', { type: 'licence' });
    await call('POST', `/v2/certificates/${certificateId}/suspend`, { reason: 'audit' });
    service.db.clock.set('2026-12-16T10:00:00Z');
    await runDaily();
    expect(await notified('certificate.expiring')).toEqual([]);
    await call('POST', `/v2/certificates/${certificateId}/reinstate`, {});
    expect(await notified('certificate.expiring')).toEqual([
      expect.objectContaining({ certificateNo: 'C-3', threshold: 7, missedThresholds: [30, 15] }),
    ]);
  });

  it('that expired while no worker ran are notified about once, as expired', async () => {
    await certify('C-1', '2026-11-30', { validTo: '2027-01-10' });
    await runDaily();
    service.db.clock.set('2027-01-15T10:00:00Z');
    await runDaily();
    await runDaily();
    expect(await notified('certificate.expiring')).toEqual([
      expect.objectContaining({ threshold: 7, missedThresholds: [30, 15], daysRemaining: -5 }),
    ]);
  });
});

describe('batches near expiry', () => {
  it('are notified about on receipt, and not again while they stay in the range', async () => {
    await stock('FAR', '2027-11-15', 5);
    await stock('NEAR', '2026-12-15', 5);
    await stock('NEAR', '2026-12-15', 3);
    await runDaily();
    expect(await notified('expiry.warning')).toEqual([
      {
        productCode: PRODUCT,
        productName: 'Stent',
        batchNo: 'NEAR',
        expiryDate: '2026-12-15',
        daysRemaining: 30,
        quantity: 5,
        byWarehouse: [{ warehouse: 'WH', quantity: 5 }],
      },
    ]);
  });

  it('are notified about by receipts as by adjustments', async () => {
    const { receiptId } = await call<{ receiptId: string }>('POST', '/v2/receipts', {
      receiptNo: 'R-1',
      supplierCode: 'SUP',
      warehouse: 'WH',
      lines: [{ lineNo: 1, productCode: PRODUCT, batchNo: 'R', expiryDate: '2026-11-20', quantity: 4 }],
    });
    await call('POST', `/v2/receipts/${receiptId}/acceptance`, {
      lines: [{ lineNo: 1, acceptedQuantity: 4, rejectedQuantity: 0 }],
    });
    expect(await notified('expiry.warning')).toEqual([
      expect.objectContaining({ batchNo: 'R', daysRemaining: 5 }),
    ]);
  });

  it('follow a range that is widened and narrowed, at most once per day', async () => {
    await stock('B', '2027-01-15', 5);
    const range = (nearExpiryDays: number) =>
      put(`/v2/products/${PRODUCT}`, { productName: 'Stent', nearExpiryDays });
    await range(61);
    expect(await notified('expiry.warning')).toHaveLength(1);
    await range(60);
    await range(90);
    expect(await notified('expiry.warning')).toHaveLength(1);
    service.db.clock.set('2026-11-16T00:00:01Z');
    await runDaily();
    expect(await notified('expiry.warning')).toHaveLength(2);
  });

  it('without stock are notified about once there is some', async () => {
    await stock('B', '2026-12-20', 5);
    await stock('B', '2026-12-20', -5);
    service.db.clock.set('2026-11-25T10:00:00Z');
    await runDaily();
    expect(await notified('expiry.warning')).toEqual([]);
    await stock('B', '2026-12-20', 2);
    expect(await notified('expiry.warning')).toEqual([
      expect.objectContaining({ batchNo: 'B', quantity: 2 }),
    ]);
  });
});

describe('low stock because of expiry', () => {
  it('is notified about when the last day of a batch is over, but not for stock on hold', async () => {
    await stock('A', '2026-11-16', 20);
    await stock('B', '2027-11-16', 8);
    await put(`/v2/products/${PRODUCT}`, { productName: 'Stent', safetyStock: 10 });
    await put('/v2/products/HELD', { productName: 'Glove' });
    for (const [batchNo, expiryDate] of [
      ['A', '2026-11-16'],
      ['B', '2027-11-16'],
    ])
      await call('POST', '/v2/stock/adjustments', {
        productCode: 'HELD',
        warehouse: 'WH',
        batchNo,
        expiryDate,
        quantityDelta: 10,
        reason: 'count',
      });
    await call('POST', '/v2/stock/holds', { productCode: 'HELD', batchNo: 'A', reason: 'look' });
    await call('POST', '/v2/stock/adjustments', {
      productCode: 'HELD',
      warehouse: 'WH',
      batchNo: 'B',
      quantityDelta: -5,
      reason: 'count',
    });
    await service.db.sql('update products set safety_stock = 10 where org_id = $1', [org.organization.orgId]);
    await runDaily();
    service.db.clock.set('2026-11-16T23:59:59Z');
    await runDaily();
    expect(await notified('inventory.low_stock')).toEqual([]);
    service.db.clock.set('2026-11-17T00:00:00Z');
    await Promise.all([runDaily(), runDaily()]);
    expect(await notified('inventory.low_stock')).toEqual([
      expect.objectContaining({ productCode: PRODUCT, availableQuantity: 8 }),
    ]);
  });
});

describe('an organization', () => {
  it('whose daily run fails does not keep the others from theirs', async () => {
    const broken = await newOrganization(service.db);
    await certify('C-1', '2027-06-01');
    await runDaily();
    await service.db.sql(`update organizations set time_zone = 'Nowhere/Land' where org_id = $1`, [
      broken.organization.orgId,
    ]);
    service.db.clock.set('2027-05-25T10:00:00Z');
    const failures: string[] = [];
    await performDueDailyRuns(service.db.database, {
      consoleUrl: '',
      onError: (_error, code) => failures.push(code),
    });
    expect(failures).toEqual([broken.organization.code]);
    expect(await notified('certificate.expiring')).toHaveLength(1);
    await service.db.sql(`update organizations set time_zone = 'UTC' where org_id = $1`, [
      broken.organization.orgId,
    ]);
  });

  it('that is suspended gets no notification, and the latest once it is active again', async () => {
    await certify('C-1', '2027-06-01');
    await runDaily();
    const { orgId } = org.organization;
    const become = (status: 'active' | 'suspended') =>
      updateOrganization(service.db.database, 'operator@test.example', orgId, { status });
    await become('suspended');
    service.db.clock.set('2027-05-05T10:00:00Z');
    await runDaily();
    await become('active');
    service.db.clock.set('2027-05-18T10:00:00Z');
    await runDaily();
    expect(await notified('certificate.expiring')).toEqual([
      expect.objectContaining({ threshold: 15, missedThresholds: [30] }),
    ]);
  });
});

describe('a daily run of more than one batch', () => {
  it.each([
    [5, 'a last batch that is partly full'],
    [4, 'a last batch that is full'],
  ])('notifies about all %i certificates and stock batches: %s', async (count) => {
    service.db.clock.set('2026-11-16T10:00:00Z');
    for (let i = 0; i < count; i++) {
      await certify(`C-${i}`, '2027-03-01');
      await stock(`B-${i}`, '2027-03-01', 5);
    }
    service.db.clock.set('2027-02-05T10:00:00Z');
    const state = (await readDailyRunStates(service.db.database.worker)).find(
      ({ orgId }) => orgId === org.organization.orgId,
    );
    if (!state) throw new Error('no such organization');
    const { emitted } = await performDailyRun(service.db.database, state, { consoleUrl: '', batchSize: 2 });
    expect(emitted['certificate.expiring']).toHaveLength(count);
    expect(emitted['expiry.warning']).toHaveLength(count);
    expect(await notified('certificate.expiring')).toHaveLength(count);
    expect(await notified('expiry.warning')).toHaveLength(count);
  });
});

describe('the daily digest', () => {
  it('goes once per day to administrators who opted in, sent by the worker', async () => {
    const principal = systemPrincipal(org.organization.orgId, 'operator@test.example');
    await transact(service.db.database, principal, async (tx) => {
      await createUser(tx, { email: 'reads@test.example', role: 'admin' });
      await createUser(tx, { email: 'does-not@test.example', role: 'admin' });
      await createUser(tx, { email: 'sells@test.example', role: 'sales' });
      await chooseDigest(tx, 'reads@test.example', true);
      await chooseDigest(tx, 'sells@test.example', true);
    });
    await certify('C-9', '2026-11-20');
    await stock('NEAR', '2026-12-01', 5);
    await put('/v2/environment/points/P-1', {
      name: 'Cold room',
      warehouse: 'WH',
      temperature: { min: 2, max: 8 },
    });
    await call('POST', '/v2/environment/readings', {
      readings: [{ pointId: 'P-1', at: '2026-11-15T09:00:00Z', temperature: 9.5 }],
    });
    const worker = await startWorker(service.db);
    const mine = async () => (await worker.mails()).filter((mail) => mail.includes('reads@test.example'));
    await expect.poll(mine, { timeout: 10_000 }).toHaveLength(1);
    await runDaily();
    await worker.looked();
    const all = await worker.mails();
    await worker.stop();
    expect(all.filter((mail) => /does-not@|sells@/.test(mail))).toEqual([]);
    const mail = all.find((each) => each.includes('reads@test.example'))?.replaceAll('=\r\n', '');
    expect(mail).toMatch(/Subject: Lotward on 2026-11-15: 1 open alert, 1 certificate, 1 near expiry/);
    expect(mail).toContain('registration C-9 of Stent');
    expect(mail).toContain('batch NEAR: 5');
    expect(mail).toContain('Cold room in WH: 9.5');
  });

  it('is not sent on a day with nothing to report', async () => {
    const { orgId } = org.organization;
    await transact(service.db.database, systemPrincipal(orgId, 'operator@test.example'), async (tx) => {
      await createUser(tx, { email: 'quiet@test.example', role: 'admin' });
      await chooseDigest(tx, 'quiet@test.example', true);
    });
    await runDaily();
    expect(await service.db.sql('select 1 from mails where org_id = $1', [orgId])).toEqual([]);
  });
});

describe('a daily run ahead of time', () => {
  const ahead = async (asOf: string) => {
    const days = await readDailyRunStates(service.db.database.worker);
    const own = days.find(({ orgId }) => orgId === org.organization.orgId);
    if (!own) throw new Error('no such organization');
    return (await performDailyRun(service.db.database, own, { asOf, consoleUrl: 'https://lotward.example' }))
      .emitted;
  };
  const days = async (eventType: string) =>
    (await notified(eventType)).map(({ daysRemaining }) => daysRemaining).sort();

  it('ignores what will have expired by then: without an outage no day is negative', async () => {
    await certify('C-1', '2027-01-10');
    await stock('B-1', '2027-01-10', 5);
    await runDaily();
    expect(await ahead('2027-01-20')).toEqual({});
    expect(await ahead('2027-02-20')).toEqual({});
    // The days themselves are still to come, and send the notifications.
    for (const day of ['2026-12-11', '2026-12-26', '2027-01-03']) {
      service.db.clock.set(`${day}T10:00:00Z`);
      await runDaily();
    }
    expect(await days('certificate.expiring')).toEqual([15, 30, 7]);
    expect(await days('expiry.warning')).toEqual([30]);
  });

  it('notifies about what is due on that day, and no later run repeats it', async () => {
    await certify('C-1', '2027-01-10');
    await stock('B-1', '2027-01-10', 5);
    await runDaily();
    expect(Object.keys(await ahead('2026-12-26')).sort()).toEqual(['certificate.expiring', 'expiry.warning']);
    service.db.clock.set('2026-12-26T10:00:00Z');
    await runDaily();
    expect(await days('certificate.expiring')).toEqual([15]);
    expect(await days('expiry.warning')).toEqual([15]);
  });

  it('does not hide an outage over it: what expired meanwhile is notified about as expired', async () => {
    await certify('C-1', '2027-01-10');
    await stock('B-1', '2027-01-10', 5);
    await runDaily();
    expect(await ahead('2027-01-20')).toEqual({});
    service.db.clock.set('2027-02-01T10:00:00Z');
    await runDaily();
    expect(await days('certificate.expiring')).toEqual([-22]);
    expect(await days('expiry.warning')).toEqual([-22]);
  });
});

describe('lotward daily', () => {
  const lotward = (...args: string[]) => runCommand(service.db, ...args);

  it('performs the requested day once, and leaves the days before it to come', async () => {
    // The command uses the real clock; no other run looks that far into the future.
    await certify('C-1', '2099-03-31');
    const { code } = org.organization;
    const on = async (day: string) => {
      const { out, err } = await lotward('daily', '--as-of', day, '--org', code, '--force', '--json');
      expect(err).toBe('');
      return (JSON.parse(out) as { organizations: { emitted: Record<string, string[]> }[] }).organizations[0];
    };
    expect(await on('2099-02-28')).toMatchObject({ organization: code, emitted: {} });
    expect(await on('2099-03-01')).toMatchObject({
      emitted: { 'certificate.expiring': [expect.any(String)] },
    });
    expect(await on('2099-03-01')).toMatchObject({ emitted: {} });
    expect(await on('2099-03-30')).toMatchObject({
      emitted: { 'certificate.expiring': [expect.any(String)] },
    });
    expect(
      (await notified('certificate.expiring')).map(({ threshold, missedThresholds }) => [
        threshold,
        missedThresholds,
      ]),
    ).toEqual([
      [30, []],
      [7, [15]],
    ]);
    await runDaily();
    const [run] = await service.db.sql<{ day: string }>(
      'select day::text from daily_runs where org_id = $1',
      [org.organization.orgId],
    );
    expect(run?.day).toBe('2026-11-15');
  });

  it('requires --force before it notifies partners about a future day, and a date that exists', async () => {
    const ahead = await lotward('daily', '--as-of', '2099-01-01');
    expect(ahead).toMatchObject({ exitCode: 1, out: '' });
    expect(ahead.err).toContain('--force');
    expect(await lotward('daily', '--as-of', '2026-02-30')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('is not a date'),
    });
  });
});
