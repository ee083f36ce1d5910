import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, openTestService } from '../../test/harness/index.js';
import { exchange } from '../../test/http/raw-client.js';

interface Vector {
  id: string;
  code: string;
  expect?: Record<string, unknown>;
  error?: string | true;
}
const vectorsFile = new URL('../../../udi/test/vectors.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(vectorsFile, 'utf8')) as { vectors: Vector[] };

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  service = await openTestService();
  const entry = {
    productCode: GTIN,
    warehouse: 'WH-1',
    quantityDelta: 5,
    expiryDate: null,
    reason: 'opening',
  };
  for (const batchNo of ['B1', 'B/1', 'A+B', 'A%2FB']) {
    const answer = await service.call('POST', '/v2/stock/adjustments', { ...entry, batchNo });
    if (answer.status !== 200) throw new Error(answer.text);
  }
});
afterAll(() => service.close());

const get = (path: string) => service.call<{ udi: Record<string, unknown> }>('GET', path);
/** Sends the target unchanged: other clients normalize it. */
async function getRaw(target: string) {
  const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${service.org.key}\r\n\r\n`;
  const [answer] = (await exchange(service.api.url, head)).answers;
  return { status: answer?.status, json: JSON.parse(answer?.body ?? '{}') };
}

/** Characters legal in a request target without encoding; a question mark would start the query. */
const isLegalRaw = (code: string) => /^[A-Za-z0-9\-._~!$&'()*+,;=:@/]*$/.test(code) && code !== 'read';

describe('codes over HTTP', () => {
  it('there are vectors of every kind', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(20);
    expect(vectors.filter(({ code }) => isLegalRaw(code)).length).toBeGreaterThan(10);
  });

  it.each(vectors)('$id is read, or refused with the reason of `@lotward/udi`', async (vector) => {
    const encoded = encodeURIComponent(vector.code);
    const answers = [await get(`/v2/udi/read?code=${encoded}`)];
    for (const answer of answers) {
      if (vector.error === undefined) {
        expect(answer, answer.text).toMatchObject({ status: 200, data: { udi: vector.expect } });
        expect(answer.data.udi.raw).toBe(vector.code);
      } else {
        expect(answer, answer.text).toMatchObject({ status: 400, code: 1001 });
        expect(answer.json.errors[0]?.path).toBe('code');
        if (vector.error !== true) expect(answer.reason).toBe(vector.error);
      }
    }
    const read = answers[0];
    const traced = [await get(`/v2/udi/${encoded}`), await get(`/v2/udi?code=${encoded}`)];
    for (const answer of traced) {
      if (read?.status === 400) expect(answer).toMatchObject({ status: 400, reason: read.reason });
      else if (read?.data.udi.deviceIdentifier === null)
        expect(answer).toMatchObject({ status: 400, code: 1001, reason: 'missing_device_identifier' });
      else expect(answer).toMatchObject({ status: 404, code: 1004 });
    }
    if (!isLegalRaw(vector.code)) return;
    const raw = await getRaw(`/v2/udi/${vector.code}`);
    expect([raw.status, raw.json.errors[0]?.reason]).toEqual([traced[0]?.status, traced[0]?.reason]);
    const rawQuery = await getRaw(`/v2/udi/read?code=${vector.code.replaceAll('&', '%26')}`);
    expect([rawQuery.status, rawQuery.json.data?.udi.raw]).toEqual([
      read?.status,
      read?.status === 200 ? vector.code : undefined,
    ]);
  });

  it.each([
    ['in brackets', `/v2/udi/(01)${GTIN}(10)B1`],
    ['encoded', `/v2/udi/${encodeURIComponent(`(01)${GTIN}(10)B1`)}`],
    ['as a parameter', `/v2/udi?code=(01)${GTIN}(10)B1`],
    ['as scanned', `/v2/udi/${encodeURIComponent(`]d201${GTIN}10B1\u001d17281130`)}`],
    [
      'a Digital Link, encoded',
      `/v2/udi/${encodeURIComponent(`https://id.gs1.org/01/${GTIN}/10/B1?17=281130`)}`,
    ],
    ['a Digital Link as it is', `/v2/udi/https://id.gs1.org/01/${GTIN}/10/B1`],
    ['a Digital Link with its own query', `/v2/udi/https://id.gs1.org/01/${GTIN}/10/B1?17=281130`],
    [
      'and with ours',
      `/v2/udi/https://id.gs1.org/01/${GTIN}/10/B1?17=281130&limit=1&at=2026-11-15T10:00:00Z`,
    ],
    [
      'an encoded link with its query beside it',
      `/v2/udi/${encodeURIComponent(`https://id.gs1.org/01/${GTIN}`)}?10=B1`,
    ],
    ['a link as a parameter', `/v2/udi?code=https://id.gs1.org/01/${GTIN}?17=281130&10=B1`],
  ])('a trace begins with a code %s', async (_how, path) => {
    const { status, json } = await getRaw(path);
    expect(json).toMatchObject({ code: 0, data: { udi: { deviceIdentifier: GTIN, batchNo: 'B1' } } });
    expect([status, json.data.holders.length, json.data.chain.items.length]).toEqual([200, 1, 1]);
    if (path.includes('17=')) expect(json.data.udi.expiryDate).toBe('2028-11-30');
  });

  it.each([
    ['a slash in a batch number', `/v2/udi/(01)${GTIN}(10)B%2F1`, 'B/1'],
    ['a slash in a link as it is', `/v2/udi/https://id.gs1.org/01/${GTIN}/10/B%2F1`, 'B/1'],
    ['a plus sign in a path', `/v2/udi/(01)${GTIN}(10)A+B`, 'A+B'],
    ['a plus sign in a parameter', `/v2/udi?code=(01)${GTIN}(10)A+B`, 'A+B'],
    ['an encoded plus sign', `/v2/udi?code=(01)${GTIN}(10)A%2BB`, 'A+B'],
    ['a percent sign', `/v2/udi/(01)${GTIN}(10)A%252FB`, 'A%2FB'],
  ])('%s is kept', async (_what, path, batchNo) => {
    expect(await getRaw(path)).toMatchObject({ status: 200, json: { data: { udi: { batchNo } } } });
  });

  it('the plus sign at the start of a HIBC code is not read as a space', async () => {
    expect((await getRaw('/v2/udi/read?code=+A123BJC5D6E71G')).json.data.udi.issuingAgency).toBe('HIBCC');
  });

  it.each([
    ['/v2/udi/', 404, undefined],
    ['/v2/udi', 400, 'required'],
    ['/v2/udi?code=', 400, 'unknown_format'],
    ['/v2/udi/read', 400, 'required'],
    ['/v2/udi/read?code=', 400, 'unknown_format'],
    [`/v2/udi/(01)${GTIN}?17=281130`, 400, 'unknown_parameter'],
    [`/v2/udi/(01)${GTIN}?linkType=all`, 400, 'unknown_parameter'],
    [`/v2/udi/(01)${GTIN}?limit=0`, 400, 'out_of_range'],
    [`/v2/udi/(01)${GTIN}?at=yesterday`, 400, 'bad_format'],
    [`/v2/udi/(01)${GTIN}?format=xml`, 400, 'not_allowed'],
    [`/v2/udi/https://id.gs1.org/01/${GTIN}?17=281130&17=281201`, 400, 'wrong_type'],
    ['/v2/udi/%zz', 400, 'malformed_request'],
    [`/v2/udi/${'9'.repeat(3_000)}`, 400, 'too_long'],
    ['/v2/udi/%00', 400, 'unknown_format'],
  ])('%s: %d %s', async (path, status, reason) => {
    const answer = await getRaw(path);
    expect([answer.status, answer.json.errors[0]?.reason]).toEqual([status, reason]);
  });

  it('a HIBC secondary alone is read, with the character that links it to its primary', async () => {
    const secondary = '+$$7LOTG1';
    const { data } = await get(`/v2/udi/read?code=${encodeURIComponent(secondary)}`);
    expect(data.udi).toMatchObject({ deviceIdentifier: null, batchNo: 'LOT', other: { linkCharacter: 'G' } });
    const traced = await get(`/v2/udi/${encodeURIComponent(secondary)}`);
    expect(traced).toMatchObject({ status: 400, reason: 'missing_device_identifier' });
  });
});
