import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeIdempotencyKeys } from '../../src/platform/http/index.js';
import { GTIN, openTestService } from '../harness/index.js';
import { expectFailure } from './error-table.js';
import { exchange } from './raw-client.js';

const PATH = '/v2/stock/adjustments';
const REPLAYED = 'idempotent-replayed';
const HOUR = 3_600_000;

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
afterAll(() => service.close());

const bodyOf = (batchNo: string, quantityDelta = 1) => ({
  productCode: GTIN,
  warehouse: 'WH-1',
  batchNo,
  quantityDelta,
  expiryDate: '2028-01-01',
  reason: 'count',
});
const post = (key: string, body: unknown, credential = service.org.key, path = PATH) =>
  service.call('POST', path, body, credential, { 'idempotency-key': key });
/** How often something was done to a batch. */
const effects = async (batchNo: string): Promise<number> => {
  const rows = await service.db.sql<{ count: number }>(
    'select count(*)::int as count from movements where batch_no = $1',
    [batchNo],
  );
  return rows[0]?.count ?? 0;
};
const storedKeys = async (key: string): Promise<number> => {
  const rows = await service.db.sql<{ count: number }>(
    'select count(*)::int as count from idempotency_keys where key = $1',
    [key],
  );
  return rows[0]?.count ?? 0;
};

describe('the same key with the same request', () => {
  it('returns the first success again, byte for byte, without a second effect', async () => {
    const first = await post('success', bodyOf('S'));
    expect([first.status, first.headers.get(REPLAYED)]).toEqual([200, null]);
    for (let i = 0; i < 3; i++) {
      const again = await post('success', bodyOf('S'));
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(again.headers.get(REPLAYED)).toBe('true');
    }
    expect(await effects('S')).toBe(1);
  });

  it('returns the first refusal again, even if its cause is gone', async () => {
    const take = bodyOf('R', -5);
    const first = await post('refusal', take);
    expect([first.status, first.reason]).toEqual([400, 'insufficient_stock']);
    await post('fill', bodyOf('R', 10));
    const again = await post('refusal', take);
    expect([again.status, again.text]).toEqual([400, first.text]);
    expect([first, again].map(({ headers }) => headers.get(REPLAYED))).toEqual([null, 'true']);
    expect((await post('another', take)).status).toBe(200);
  });

  it.each(['a write of its own', 'a write that shares its transaction'])(
    'of %s: what is stored and audited never carries an id that the caller chose',
    async (what) => {
      const order = {
        orderNo: 'IDS',
        customerCode: 'HOSP-1',
        warehouse: 'WH-1',
        currency: 'EUR',
        lines: [{ lineNo: 1, productCode: GTIN, quantity: 1_000_000, unitPrice: '1.00' }],
      };
      const { orderId } = (await service.call<{ orderId: string }>('POST', '/v2/orders', order)).data;
      const [path, body] =
        what === 'a write of its own' ? [PATH, bodyOf('ID', -5)] : [`/v2/orders/${orderId}/approve`, {}];
      const send = (requestId: string) =>
        service.call('POST', path, body, undefined, { 'idempotency-key': what, 'x-request-id': requestId });
      const first = await send('chosen-first');
      expect([first.status, first.reason, first.json.requestId]).toEqual([
        400,
        'insufficient_stock',
        'chosen-first',
      ]);
      const again = await send('chosen-second');
      expect([first, again].map(({ headers }) => headers.get(REPLAYED))).toEqual([null, 'true']);
      expect(again.headers.get('x-request-id')).toBe('chosen-second');
      // The request that was carried out, by the id under which the log has it.
      expect(again.json.requestId).toMatch(/^req_[0-9a-f]{24}$/);
      expect(again.json).toEqual({
        ...first.json,
        requestId: first.headers.get('x-lotward-request-id'),
      });
      const chosen = `select 1 from idempotency_keys where body like '%chosen%'
        union all select 1 from audit_entries where request_id like 'chosen%'`;
      expect(await service.db.sql(chosen)).toEqual([]);
    },
  );

  it('marks the success of a shared write that is sent again, and no other', async () => {
    const order = {
      orderNo: 'MARKED',
      customerCode: 'HOSP-1',
      warehouse: 'WH-1',
      currency: 'EUR',
      lines: [{ lineNo: 1, productCode: GTIN, quantity: 1, unitPrice: '1.00' }],
    };
    const send = (key: string) => post(key, order, service.org.key, '/v2/orders');
    const answers = [await send('marked'), await send('marked'), await send('unmarked')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ headers }) => headers.get(REPLAYED))).toEqual([null, 'true', null]);
  });

  it('stores a refusal without the writes made before it', async () => {
    const pump = (batchNo: string) => ({ ...bodyOf(batchNo), productCode: 'PUMP-1', serials: ['S1'] });
    expect((await post('pump', pump('P1'))).status).toBe(200);
    // The batch is new and is written before its serialized unit is found to be in stock already.
    expect((await post('pump again', pump('P2'))).reason).toBe('serial_in_stock');
    expect((await post('pump again', pump('P2'))).reason).toBe('serial_in_stock');
    expect(await service.db.sql(`select batch_no from batches where batch_no like 'P_'`)).toEqual([
      { batch_no: 'P1' },
    ]);
  });

  it('is the same however its fields are ordered and spaced', async () => {
    const first = await post('order', bodyOf('O'));
    const reversed = Object.fromEntries(Object.entries(bodyOf('O')).reverse());
    const again = await post('order', JSON.stringify(reversed, null, 4));
    expect(again.text).toBe(first.text);
    expect(await effects('O')).toBe(1);
  });

  it('many at once: one effect, and all get its response', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('crowd', bodyOf('C'))));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const marks = answers.map(({ headers }) => headers.get(REPLAYED));
    expect(marks.filter((mark) => mark === null)).toHaveLength(1);
    expect(marks.filter((mark) => mark === 'true')).toHaveLength(7);
    expect(await effects('C')).toBe(1);
  });

  it('a caller that disconnected before the response gets it when it asks again', async () => {
    const url = service.api.url;
    for (let i = 0; i < 12; i++) {
      const key = `vanished-${i}`;
      const batchNo = `V${i}`;
      const body = JSON.stringify(bodyOf(batchNo));
      const head = `Host: a\r\nAuthorization: Bearer ${service.org.key}\r\nContent-Type: application/json\r\n`;
      const bytes = `POST ${PATH} HTTP/1.1\r\n${head}Idempotency-Key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      // Sent whole, then gone: the server may be anywhere between reading and answering.
      const gone = await exchange(url, bytes, {
        socket: (socket) =>
          i % 2 ? socket.end(() => socket.destroy()) : setImmediate(() => socket.resetAndDestroy()),
      });
      expect(gone.answers.length).toBeLessThanOrEqual(1);
      const again = await post(key, bodyOf(batchNo));
      const third = await post(key, bodyOf(batchNo));
      expect([again.status, third.text]).toEqual([200, again.text]);
      expect([batchNo, await effects(batchNo)]).toEqual([batchNo, 1]);
    }
  });
});

describe('the same key with another request', () => {
  const reused = [
    {
      path: 'Idempotency-Key',
      reason: 'idempotency_key_reused',
      message: 'this Idempotency-Key was used for another request',
    },
  ];

  it('is refused and does nothing: another body, another path', async () => {
    expect((await post('mine', bodyOf('M'))).status).toBe(200);
    const other = await post('mine', bodyOf('M', 2));
    expectFailure(other, 400, reused);
    expect(other.headers.get(REPLAYED)).toBeNull();
    const hold = { productCode: GTIN, batchNo: 'M', quantity: 1, reason: 'damp' };
    expectFailure(await post('mine', hold, service.org.key, '/v2/stock/holds'), 400, reused);
    expect(await effects('M')).toBe(1);
    expect((await post('mine', bodyOf('M'))).status).toBe(200);
  });

  it('is refused for another object, though the body is the same', async () => {
    await post('stock to hold', bodyOf('H', 2));
    const hold = { productCode: GTIN, batchNo: 'H', quantity: 1, category: 'logistics', reason: 'damp' };
    const make = async () =>
      (await service.call<{ holdId: string }>('POST', '/v2/stock/holds', hold)).data.holdId;
    const [one, two] = [await make(), await make()];
    const release = (holdId: string) =>
      post('release', {}, service.org.key, `/v2/stock/holds/${holdId}/release`);
    expect((await release(one)).status).toBe(200);
    expectFailure(await release(two), 400, reused);
    expect((await service.call('GET', `/v2/stock/holds/${two}`)).data).toMatchObject({ status: 'active' });
  });

  it('two bodies at once: one of them takes effect', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => post('race', bodyOf('X', n))));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400]);
    expect(await effects('X')).toBe(1);
  });

  it('another credential has keys of its own', async () => {
    const { apiKey } = await service.org.newKey();
    const first = await post('shared', bodyOf('T'));
    const other = await post('shared', bodyOf('T'), apiKey);
    expect([first.status, other.status]).toEqual([200, 200]);
    expect(other.text).not.toBe(first.text);
    expect(await effects('T')).toBe(2);
  });
});

describe('responses that are not stored', () => {
  it('a shape that is refused: the corrected request may use the key', async () => {
    expect((await post('shape', { ...bodyOf('F'), quantityDelta: 'one' })).reason).toBe('wrong_type');
    expect((await post('shape', '{"half":')).reason).toBe('bad_json');
    expect((await post('shape', bodyOf('F'))).status).toBe(200);
  });

  it('an object that is missing', async () => {
    const path = '/v2/stock/holds/hld_00000000000000000000000000/release';
    const message = 'Hold not found. Check holdId: your organization has no such hold.';
    expectFailure(await post('missing', {}, service.org.key, path), 404, [
      { path: 'holdId', reason: 'not_found', message },
    ]);
    expect(await storedKeys('missing')).toBe(0);
  });

  it('a failure of ours: the same request succeeds later', async () => {
    await service.db.sql('alter table movements rename to movements_elsewhere');
    try {
      expectFailure(await post('outage', bodyOf('U')), 500, []);
      expect(await storedKeys('outage')).toBe(0);
    } finally {
      await service.db.sql('alter table movements_elsewhere rename to movements');
    }
    expect((await post('outage', bodyOf('U'))).status).toBe(200);
    expect(await effects('U')).toBe(1);
  });
});

describe('the key itself', () => {
  it('has 1 to 255 characters', async () => {
    expect((await post('k'.repeat(255), bodyOf('L'))).status).toBe(200);
    for (const key of ['', 'k'.repeat(256)]) {
      expectFailure(await post(key, bodyOf('L')), 400, [
        { path: 'Idempotency-Key', reason: 'bad_length', message: '1 to 255 characters' },
      ]);
    }
    expect(await effects('L')).toBe(1);
  });

  it('may contain any header character', async () => {
    for (const key of ['ÿþ é', '"quoted"', "it's; drop table", randomUUID()]) {
      const body = bodyOf(`K-${key.length}`);
      const first = await post(key, body);
      expect([key, first.status]).toEqual([key, 200]);
      expect((await post(key, body)).text).toBe(first.text);
    }
  });

  it('expires after 24 hours, and is purged', async () => {
    const first = await post('day', bodyOf('D'));
    service.db.clock.advance(24 * HOUR);
    expect((await post('day', bodyOf('D'))).text).toBe(first.text);
    service.db.clock.advance(1);
    const fresh = await post('day', bodyOf('D'));
    expect(fresh.status).toBe(200);
    expect(fresh.text).not.toBe(first.text);
    expect(await effects('D')).toBe(2);
    // From now on the second response is the stored one.
    expect((await post('day', bodyOf('D'))).text).toBe(fresh.text);

    await post('old', bodyOf('D'));
    service.db.clock.advance(24 * HOUR);
    await post('young', bodyOf('D'));
    await purgeIdempotencyKeys(service.db.database);
    expect([await storedKeys('old'), await storedKeys('young')]).toEqual([1, 1]);
    service.db.clock.advance(1);
    await purgeIdempotencyKeys(service.db.database);
    expect([await storedKeys('old'), await storedKeys('young'), await storedKeys('success')]).toEqual([
      0, 1, 0,
    ]);
  });

  it('claimed again while old keys are purged keeps its new response', async () => {
    await post('again', bodyOf('P'));
    service.db.clock.advance(24 * HOUR + 1);
    const claim = new pg.Client({
      connectionString: service.db.url,
      options: '-c search_path=lotward,public',
    });
    await claim.connect();
    await claim.query('begin');
    await claim.query("update idempotency_keys set created_at = $1 where key = 'again'", [
      service.db.clock.now(),
    ]);
    const purged = purgeIdempotencyKeys(service.db.database);
    await expect.poll(() => service.db.waiting({ statement: 'idempotency_keys' })).toHaveLength(1);
    await claim.query('commit');
    await claim.end();
    await purged;
    expect(await storedKeys('again')).toBe(1);
  });
});
