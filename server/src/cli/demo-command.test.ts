import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  newOrganization,
  openDemoWithoutKeys,
  openTestDatabase,
  type TestDatabase,
} from '../../test/harness/index.js';
import { readConfig } from '../config/index.js';
import { demoAtStart } from './demo-command.js';
import { greet } from './greeting.js';

/** Loading it takes its time on a busy machine. */
describe('the demo at the start', { timeout: 600_000 }, () => {
  let db: TestDatabase;
  let folder: string;
  beforeEach(async () => {
    db = await openTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'lotward-demo-'));
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await db.close();
    rmSync(folder, { recursive: true });
  });
  const runtimeWith = (env: Record<string, string>) => ({
    config: readConfig({ LOTWARD_DATA_DIR: folder, ...env }),
    database: db.database,
    box: db.box,
    close: async () => {},
  });
  const external = { DATABASE_URL: 'postgres://elsewhere/lotward', LOTWARD_SECRET_KEY: 'b8Kq2xZr7TnW4vLc' };

  it('is not loaded beside somebody’s own organization, nor elsewhere than on the embedded database, nor against their word', async () => {
    expect(await demoAtStart(runtimeWith(external))).toBeNull();
    expect(await demoAtStart(runtimeWith({ LOTWARD_DEMO: '0' }))).toBeNull();
    await newOrganization(db, { code: 'acme' });
    expect(await demoAtStart(runtimeWith({}))).toBeNull();
    expect(await db.sql('select 1 from instance_state')).toEqual([]);
  });

  it('greets with a line to paste, a second key and a login, again at every start, and is there where asked for', async () => {
    await db.close();
    db = await openDemoWithoutKeys();
    const embedded = runtimeWith({ LOTWARD_ADMIN_PASSWORD: 'a password of the operator' });
    const demo = await demoAtStart(embedded);
    expect(demo).toMatchObject({
      loadedNow: true,
      login: {
        emails: ['admin@demo.example', 'warehouse@demo.example', 'quality@demo.example'],
        password: 'a password of the operator',
      },
    });
    const { keys, login } = demo ?? {};
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    greet(embedded, 8080, { demo, selfSigned: true, showsSecrets: true });
    const text = String(out.mock.calls[0]?.[0]);
    const [first, second] = keys?.map((key) => key.apiKey) ?? [];
    expect(text).toContain(
      `  curl -sk 'http://127.0.0.1:8080/v2/inventory?productCode=06901234567892&warehouse=WH-EAST' -H 'Authorization: Bearer ${first}'\n`,
    );
    expect(text).toContain(`\n  ${second}\n`);
    expect(text).toContain('\n  Console        http://127.0.0.1:8080/\n');
    expect(text).toContain(`\n  admin@demo.example  ${login?.password}\n`);
    expect(text).toContain('\n  (warehouse@demo.example and quality@demo.example: the same password)\n');
    // Standard output of a server that others reach is a log.
    greet(embedded, 8080, { demo, selfSigned: true, showsSecrets: false });
    const logged = String(out.mock.calls[1]?.[0]);
    for (const secret of [first, second, login?.password]) expect(logged).not.toContain(secret);
    expect(logged).toContain(join(folder, 'demo.json'));
    expect(await demoAtStart(runtimeWith({}))).toMatchObject({ loadedNow: false, keys, login });
    const asked = await demoAtStart(runtimeWith({ ...external, LOTWARD_DEMO: '1' }));
    expect(asked).toMatchObject({ loadedNow: false, login: null });
  });
});
