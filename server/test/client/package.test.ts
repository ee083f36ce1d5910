import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fullTier } from '../harness/index.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
let project: string;

interface Packed {
  name: string;
  version: string;
  filename: string;
}

const install = (packed: readonly Packed[]) =>
  run(
    'npm',
    [
      ...['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'],
      ...packed.map(({ filename }) => `./${filename}`),
    ],
    { cwd: project },
  );

/** Does what npm would with packages that need nothing but each other. */
async function unpack(packed: readonly Packed[]): Promise<void> {
  const versions = new Map(packed.map(({ name, version }) => [name, version]));
  for (const { name, filename } of packed) {
    const folder = join(project, 'node_modules', name);
    await mkdir(folder, { recursive: true });
    await run('tar', ['-xzf', join(project, filename), '--strip-components=1', '-C', folder]);
    const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    for (const [needed, version] of Object.entries(dependencies))
      expect([name, needed, version]).toEqual([name, needed, versions.get(needed)]);
  }
}

/** A partner's project: empty, with the packages as they are published, and without a registry. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'lotward-partner-'));
  await writeFile(join(project, 'package.json'), '{"name":"partner","private":true,"type":"module"}');
  const workspaces = ['udi', 'client'].flatMap((name) => ['--workspace', name]);
  const pack = ['pack', '--json', '--ignore-scripts', ...workspaces, '--pack-destination', project];
  const { stdout } = await run('npm', pack, { cwd: root });
  const packed = JSON.parse(stdout) as Packed[];
  expect(packed.map(({ name }) => name)).toEqual(['@lotward/udi', '@lotward/client']);
  await (fullTier ? install(packed) : unpack(packed));
});
afterAll(() => rm(project, { recursive: true, force: true }));

it('the packed client is imported in an empty project', async () => {
  const program = `
    import { createClient, LotwardError, readUdi, verifyWebhook } from '@lotward/client';
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'lw_x', retries: 0 });
    const failure = await client.get('/v2/whoami').catch((error) => error.name);
    const { deviceIdentifier } = readUdi('(01)06901234567892(10)B1', { today: '2026-11-15' }).udi;
    console.log(JSON.stringify([typeof verifyWebhook, LotwardError.name, failure, deviceIdentifier]));`;
  await writeFile(join(project, 'program.mjs'), program);
  const { stdout } = await run(process.execPath, ['program.mjs'], { cwd: project });
  expect(JSON.parse(stdout)).toEqual(['function', 'LotwardError', 'NoAnswer', '06901234567892']);
});

it.skipIf(!fullTier)('its types match the API, checked without skipLibCheck', async () => {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  await writeFile(
    join(project, 'program.ts'),
    `import { createClient, type LotwardEvent } from '@lotward/client';
    const client = createClient({ baseUrl: 'https://lotward.example', apiKey: 'lw_x' });
    export async function names(): Promise<string[]> {
      const found: string[] = [];
      for await (const product of client.each('/v2/products', { query: { status: 'active' } })) found.push(product.productName);
      return found;
    }
    export const status = (event: LotwardEvent): string | null =>
      event.eventType === 'order.status_changed' ? event.data.currentStatus : null;
    // @ts-expect-error: there is no such status
    client.each('/v2/products', { query: { status: 'sold' } });
    // @ts-expect-error: an order needs its lines
    client.post('/v2/orders', { body: { orderNo: 'SO-1' } });
    // @ts-expect-error: there is no such path
    client.get('/v2/nothing');
    // @ts-expect-error: the path names an order
    client.get('/v2/orders/{orderId}');
  `,
  );
  const compilerOptions = {
    strict: true,
    noEmit: true,
    // Ours are checked, those of the language need not be.
    skipDefaultLibCheck: true,
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    module: 'nodenext',
  };
  const files = ['program.ts'];
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const checked = run(process.execPath, [tsc, '--project', project], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  expect((await checked).stdout).toBe('');
});
