import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readUdi } from '@lotward/udi';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { openTestService, startApi } from '../../test/harness/index.js';
import { memoryLimiter } from '../platform/rate-limit/index.js';

let service: Awaited<ReturnType<typeof openTestService>>;
beforeAll(async () => {
  const find = createRequire(import.meta.url).resolve;
  await initWasm(readFileSync(find('@resvg/resvg-wasm/index_bg.wasm')));
  const wasmBinary = new Uint8Array(readFileSync(find('zxing-wasm/reader/zxing_reader.wasm'))).buffer;
  prepareZXingModule({ overrides: { wasmBinary } });
  service = await openTestService();
});
afterAll(() => service.close());

/** The address with nothing encoded that may stand in a query: `+` above all. */
const label = (code: string, symbology?: string) =>
  service.call(
    'GET',
    `/labels/udi.svg?code=${encodeURI(code).replaceAll('#', '%23').replaceAll('&', '%26')}${symbology ? `&symbology=${symbology}` : ''}`,
  );

/** The text a scanner reads off the drawn label. */
async function scanned(svg: string) {
  const { pixels, width, height } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  const image = { data: new Uint8ClampedArray(pixels), width, height };
  const found = await readBarcodes(image as Parameters<typeof readBarcodes>[0]);
  expect(found).toHaveLength(1);
  const [one] = found;
  return {
    format: one?.format,
    identifier: one?.symbologyIdentifier,
    text: Buffer.from(one?.bytes ?? []).toString('latin1'),
  };
}

const GS1 = '(01)06901234567892(17)281130(10)B-1/x(21)S"1<&';
const GS1_SCANNED = '01069012345678921728113010B-1/x\u001d21S"1<&';
const HIBC = '+A123BJC5D6E71G';

it('a label with a name says the name and the expiry date to people, and the same code to a scanner', async () => {
  const query = `code=(01)06901234567892(17)281130(10)B1&name=${encodeURIComponent('Stent <3.0> & balloon')}`;
  const { text: svg } = await service.call('GET', `/labels/udi.svg?${query}`);
  expect(svg).toContain('Stent &lt;3.0&gt; &amp;');
  expect(svg).toContain('EXP 2028-11-30');
  expect((await scanned(svg)).text).toBe('01069012345678921728113010B1');
  const { text: zpl } = await service.call('GET', `/labels/udi.zpl?${query}`);
  expect(zpl).toContain('^FDEXP 2028-11-30^FS');
});

describe('a label says, to a scanner, the code it was made of', () => {
  it.each([
    [GS1, undefined, 'DataMatrix', ']d2', GS1_SCANNED],
    [GS1, 'datamatrix', 'DataMatrix', ']d2', GS1_SCANNED],
    [GS1, 'gs1-datamatrix', 'DataMatrix', ']d2', GS1_SCANNED],
    [GS1, 'gs1-128', 'Code128', ']C1', GS1_SCANNED],
    [`]d2${GS1_SCANNED}`, undefined, 'DataMatrix', ']d2', GS1_SCANNED],
    ['https://id.gs1.org/01/06901234567892/10/B1', undefined, 'DataMatrix', ']d2', '010690123456789210B1'],
    ['6901234567892', 'gs1-128', 'Code128', ']C1', '0106901234567892'],
    [HIBC, undefined, 'DataMatrix', ']d1', HIBC],
    [HIBC, 'hibc', 'DataMatrix', ']d1', HIBC],
    [HIBC, 'hibc-datamatrix', 'DataMatrix', ']d1', HIBC],
    [HIBC, 'hibc-128', 'Code128', ']C0', HIBC],
  ])('%s as %s', async (code, symbology, format, identifier, text) => {
    const answer = await label(code, symbology);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ]);
    expect(await scanned(answer.text)).toEqual({ format, identifier, text });
  });

  it('and what it reads is the same device, batch, serial and dates', async () => {
    const { text, identifier } = await scanned((await label(GS1)).text);
    const read = (code: string) => readUdi(code, { today: '2026-11-15' });
    const { raw: _given, ...given } = (read(GS1) as { udi: { raw: string } }).udi;
    const { raw: _scanned, ...back } = (read(`${identifier}${text}`) as { udi: { raw: string } }).udi;
    expect(back).toEqual(given);
  });
});

describe('a label says, to a person, the same', () => {
  it('each identifier of GS1 on a line of its own, nothing of the code taken for markup', async () => {
    const { text } = await label(GS1);
    const lines = [...text.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, line]) => line);
    expect(lines).toEqual(['(01)06901234567892', '(17)281130', '(10)B-1/x', '(21)S&quot;1&lt;&amp;']);
    expect(text).not.toMatch(/<script|<image|href=/);
  });

  it('a code of HIBC between asterisks', async () => {
    expect((await label(HIBC)).text).toContain(`>*${HIBC}*</text>`);
  });
});

describe('what cannot be printed is refused by its reason', () => {
  const long = `(01)06901234567892(10)${'A'.repeat(20)}(21)${'B'.repeat(20)}`;
  it.each([
    ['(01)06901234567893', undefined, 'bad_check_digit', 'code'],
    ['nonsense', undefined, 'unknown_format', 'code'],
    ['(8013)1987654Ad4X4bL5ttr2310c2K', undefined, 'missing_device_identifier', 'code'],
    [GS1, 'hibc', 'symbology_mismatch', 'symbology'],
    [HIBC, 'gs1-128', 'symbology_mismatch', 'symbology'],
    [HIBC, 'datamatrix', 'symbology_mismatch', 'symbology'],
    [long, 'gs1-128', 'symbology_mismatch', 'symbology'],
    ['=/A9999XYZ100T0944=,000025', undefined, 'symbology_mismatch', 'code'],
    [GS1, 'qr', 'not_allowed', 'symbology'],
  ])('%s as %s', async (code, symbology, reason, path) => {
    const answer = await label(code, symbology);
    expect([answer.status, answer.code, answer.json.errors?.[0]]).toEqual([
      400,
      1001,
      expect.objectContaining({ reason, path }),
    ]);
  });

  it('a request without a code, or with an unknown parameter', async () => {
    expect((await service.call('GET', '/labels/udi.svg')).reason).toBe('required');
    expect((await service.call('GET', `/labels/udi.svg?code=${GS1}&size=3`)).reason).toBe(
      'unknown_parameter',
    );
  });
});

describe('a label for a Zebra printer', () => {
  const zpl = (query: string) => service.call('GET', `/labels/udi.zpl?${query}`);
  const GS1_QUERY = `code=${encodeURIComponent(GS1.replace('"1<&', '1'))}`;

  it('has the same code as the drawn one, with FNC1 where GS1 demands it', async () => {
    const answer = await zpl(`${GS1_QUERY}&size=70x40&dpi=300&copies=3`);
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('content-disposition'),
    ]).toEqual([200, 'application/zpl; charset=utf-8', 'attachment; filename="label.zpl"']);
    expect(answer.text).toMatch(/\^BXN,\d+,200,0,0,6,_\^FD_101069012345678921728113010B-1\/x_121S1\^FS/);
    expect(answer.text).toContain('^FD(10)B-1/x^FS');
    expect(answer.text).toContain('^PQ3');
  });

  it('has a symbol of as many modules as the drawn one', async () => {
    const drawn = await label('(01)06901234567892');
    const [, width] = /viewBox="0 0 (\d+) /.exec(drawn.text) ?? [];
    expect(width).toBeDefined();
    // 16 modules of 3 dots, in the middle of 200 dots.
    expect((await zpl('code=(01)06901234567892')).text).toContain('^FO11,76^BXN,3,200');
  });

  it('of HIBC is a plain DataMatrix', async () => {
    expect((await zpl(`code=${HIBC}`)).text).toContain(`^FD${HIBC}^FS`);
  });

  it.each([
    ['code=nonsense', 'unknown_format'],
    [`${GS1_QUERY}&size=10x10`, 'not_allowed'],
    [`${GS1_QUERY}&dpi=72`, 'not_allowed'],
    [`${GS1_QUERY}&copies=0`, 'out_of_range'],
    [
      `code=(01)06901234567892(10)${'A'.repeat(20)}(21)${'B'.repeat(20)}(240)${'C'.repeat(30)}&size=30x20`,
      'label_too_small',
    ],
  ])('%s is refused', async (query, reason) => {
    const answer = await zpl(query);
    expect([answer.status, answer.reason]).toEqual([400, reason]);
  });
});

describe('drawing takes little from others', () => {
  const large = (n: number) => `(01)06901234567892(10)${String(n).padStart(20, 'A')}(21)${'B'.repeat(20)}`;

  it('other requests are answered while labels are drawn', async () => {
    await label(large(0));
    const answered: string[] = [];
    const note = (what: string) => () => answered.push(what);
    const labels = Array.from({ length: 20 }, (_, n) => label(large(n + 1)).then(note('label')));
    const health = service.api.call('GET', '/healthz').then(note('health'));
    await Promise.all([...labels, health]);
    expect(answered.indexOf('health')).toBeLessThan(answered.length - 1);
    expect(answered).toHaveLength(21);
  });

  it('more labels at once than can be drawn in time are refused, the others are right', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => label(large(n + 100))));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(new Set(['overloaded']));
    expect(refused.length).toBeLessThanOrEqual(60 - 16);
    for (const [n, { status, text }] of answers.entries())
      if (status === 200) expect(text).toContain(`(10)${String(n + 100).padStart(20, 'A')}<`);
  });

  it('a label counts as five requests', async () => {
    const limiter = memoryLimiter({ windowMs: 60_000, now: () => 0, keysMax: 100 });
    const api = await startApi(service.db.database, { limiter });
    const remaining = async (path: string) => {
      const { headers } = await api.call('GET', path, undefined, service.org.key);
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    const before = await remaining('/v2/whoami');
    expect(await remaining(`/labels/udi.svg?code=${encodeURIComponent(GS1)}`)).toBe(before - 5);
    await api.close();
  });
});
