import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fullTier } from '../harness/index.js';

const module = new URL('../../../scripts/known-vulnerabilities.mjs', import.meta.url).href;
const DEPENDENCIES = Array.from({ length: 7 }, (_, i) => `useful-thing-${i}`);

let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'lotward-audit-'));
  const dependencies = Object.fromEntries(DEPENDENCIES.map((name) => [name, '1.2.3']));
  const manifest = { name: 'project', version: '1.0.0', dependencies };
  const installed = DEPENDENCIES.map((name) => [`node_modules/${name}`, { version: '1.2.3' }]);
  const packages = { '': manifest, ...Object.fromEntries(installed) };
  const lock = { ...manifest, lockfileVersion: 3, requires: true, packages };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify(lock));
});
afterAll(() => rmSync(project, { recursive: true }));

let advisories = 0;
/** One dependency after the other with its severity; each advisory with an id of its own: npm remembers them. */
const advisoriesOf = (...severities: string[]) =>
  Object.fromEntries(
    severities.map((severity, i) => [
      DEPENDENCIES[i],
      [
        {
          id: ++advisories,
          url: 'https://advisory.example/1',
          title: 'bad',
          severity,
          vulnerable_versions: '<2',
        },
      ],
    ]),
  );

/** The problem that keeps a release from being made if the registry answers so. */
async function problemWith(status: number, known: object): Promise<string | null> {
  const registry = createServer((request, response) => {
    request.resume();
    response.writeHead(request.method === 'POST' ? status : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(known));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const script = `import(${JSON.stringify(module)}).then((m) => console.log(JSON.stringify(m.vulnerabilityProblem(${JSON.stringify(project)}))))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
    env: {
      ...process.env,
      npm_config_registry: url,
      npm_config_fetch_retries: '0',
      npm_config_cache: project,
    },
  });
  registry.close();
  return JSON.parse(stdout);
}

/** Asked once by default, because npm takes a second: no other severities would be three together. */
const mixed = ['high', 'critical', 'critical', 'moderate', 'moderate', 'moderate', 'moderate'];
let ofMixed: Promise<string | null> | undefined;

describe('a release is', () => {
  it.each(['high', 'critical'])('not made with a dependency whose vulnerability is %s', async (severity) => {
    ofMixed ??= problemWith(200, advisoriesOf(...mixed));
    expect(await ofMixed).toMatch(/severe or critical vulnerability: 3 /);
    if (fullTier)
      expect(await problemWith(200, advisoriesOf(severity))).toMatch(/severe or critical vulnerability: 1 /);
  });
  it('made with one whose vulnerability is moderate', async () => {
    expect(await problemWith(200, advisoriesOf('moderate'))).toBeNull();
  });
  it.skipIf(!fullTier)('made without any that is vulnerable', async () => {
    expect(await problemWith(200, {})).toBeNull();
  });
  it('not made when the registry does not say what is known', async () => {
    expect(await problemWith(405, {})).toMatch(/^The registry does not say/);
  });
});
