import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GTIN, openTestService } from '../harness/index.js';

/** Clients that others generate from the document, used as they would use them. */
let service: Awaited<ReturnType<typeof openTestService>>;
let folder: string;
let document: unknown;
beforeAll(async () => {
  service = await openTestService({ alone: true });
  folder = await mkdtemp(join(tmpdir(), 'lotward-generated-'));
  document = await (await fetch(`${service.api.url}/v2/openapi.json`)).json();
  const order = await service.call('POST', '/v2/orders', {
    orderNo: 'SO-1',
    customerCode: 'HOSP-1',
    warehouse: 'WH-1',
    currency: 'EUR',
    lines: [{ lineNo: 1, productCode: GTIN, quantity: 2, unitPrice: '9.50' }],
  });
  expect(order.status, order.text).toBe(200);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** The names of an object's members, with the number of times each is declared. */
const declared = (source: string, name: string): number =>
  source.match(new RegExp(`^        ${name}: (\\{|components)`, 'gm'))?.length ?? 0;

describe('TypeScript, by openapi-typescript', () => {
  it('there is one Order, one Product and one InventoryRecord', async () => {
    const source = astToString(await openapiTS(document as never));
    for (const name of ['Order', 'Product', 'InventoryRecord'])
      expect([name, declared(source, name)]).toEqual([name, 1]);
    expect(source).toContain('"application/json": components["schemas"]["OrderPageResponse"];');
  });

  it.each(['2026-11-15T09:00:00Z', '2026-11-15T09:00:00.000Z', '2026-11-15T09:00:00+00:00'])(
    'an instant as clients write it is understood: %s',
    async (updatedSince) => {
      const query = new URLSearchParams({ updatedSince });
      const { data } = await service.call<{ items: { orderNo: string }[] }>('GET', `/v2/orders?${query}`);
      expect(data?.items.map(({ orderNo }) => orderNo)).toEqual(['SO-1']);
    },
  );
});

const GENERATOR = 'openapi-python-client';
const hasGenerator = spawnSync(GENERATOR, ['--version']).status === 0;

/** The two that are no JSON: the generator leaves out their bodies. */
const NO_JSON = /image\/svg\+xml|text\/csv|text\/event-stream/;

const LIST_ORDERS = `
import datetime, os
from lotward.api.orders import list_orders
from lotward.client import AuthenticatedClient
client = AuthenticatedClient(base_url=os.environ["LOTWARD_URL"], token=os.environ["LOTWARD_KEY"])
since = datetime.datetime(2026, 11, 15, 9, tzinfo=datetime.timezone.utc)
page = list_orders.sync(client=client, updated_since=since).data
print(type(page.items[0]).__name__, page.items[0].order_no, page.items[0].created_at.isoformat())
`;

async function run(command: string, args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect(child.exitCode, `${out}${err}`).toBe(0);
  return out;
}

describe.skipIf(!hasGenerator)('Python, by openapi-python-client', () => {
  it('every operation is generated, there is one Order, and a call with a datetime in UTC works', async () => {
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    await writeFile(join(folder, 'generator.yml'), 'post_hooks: []\npackage_name_override: lotward\n');
    const said = await run(GENERATOR, [
      ...['generate', '--path', 'openapi.json', '--config', 'generator.yml'],
      ...['--meta', 'none', '--output-path', 'lotward'],
    ]);
    const problems = said
      .split(/(?=^WARNING|^ERROR|^Unable)/m)
      .slice(1)
      .filter((each) => !NO_JSON.test(each));
    expect(problems).toEqual([]);
    const models = await readdir(join(folder, 'lotward/models'));
    expect(models.filter((name) => /^order(_type.*)?\.py$/.test(name))).toEqual(['order.py']);
    await writeFile(join(folder, 'list_orders.py'), LIST_ORDERS);
    const python = await pythonOf();
    const printed = await run(python, ['list_orders.py'], {
      LOTWARD_URL: service.api.url,
      LOTWARD_KEY: service.org.key,
    });
    expect(printed.trim()).toBe('Order SO-1 2026-11-15T10:00:00+00:00');
  });
});

/** The interpreter that the generator runs with has what a generated client needs. */
async function pythonOf(): Promise<string> {
  const found = (await run('sh', ['-c', `head -n 1 "$(command -v ${GENERATOR})"`])).trim();
  return found.replace(/^#!/, '');
}
