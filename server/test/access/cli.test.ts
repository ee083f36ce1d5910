import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { main } from '../../src/cli.js';
import { packageVersion } from '../../src/platform/package-directory.js';
import { openTestDatabase, startApi, type TestApi, type TestDatabase } from '../harness/index.js';
import { environmentFor, type Run } from './lotward-process.js';

let db: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database);
});
afterAll(async () => {
  await api.close();
  await db.close();
});
beforeEach(() => {
  for (const [name, value] of Object.entries(environmentFor(db))) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

/** The command line within this process: the same but for the launcher, and ten times as fast. */
async function lotward(...args: string[]): Promise<Run> {
  const run: Run = { code: 0, stdout: '', stderr: '' };
  const keep = (stream: 'stdout' | 'stderr') =>
    vi.spyOn(process[stream], 'write').mockImplementation((text) => {
      run[stream] += text;
      return true;
    });
  const kept = [keep('stdout'), keep('stderr')];
  try {
    await main(['node', 'lotward', ...args]);
    run.code = Number(process.exitCode ?? 0);
  } finally {
    process.exitCode = undefined;
    for (const spy of kept) spy.mockRestore();
  }
  return run;
}

async function json<T extends object>(...args: string[]): Promise<T> {
  const run = await lotward(...args, '--json');
  expect(run, run.stderr).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout.trimEnd()).not.toContain('\n');
  return JSON.parse(run.stdout) as T;
}

let counter = 0;
async function newCode(...options: string[]): Promise<string> {
  const code = `org-${++counter}`;
  await json('org', 'create', '--code', code, '--name', 'Name', ...options);
  return code;
}

it('says which version is installed', async () => {
  const run = await lotward('--version');
  expect(run).toMatchObject({ code: 0, stdout: `${packageVersion}\n`, stderr: '' });
  expect(packageVersion).toMatch(/^\d+\.\d+\.\d+$/);
});

describe('org', () => {
  const shape = (part: object) => ({
    orgId: expect.stringMatching(/^org_[0-9a-z]{26}$/),
    name: 'Acme',
    edition: 'ordinary',
    timeZone: 'UTC',
    status: 'active',
    samePersonRecheck: false,
    sandboxOf: null,
    certificateGate: 'refuse',
    demandedCertificates: [],
    booksFrom: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    ...part,
  });

  it('create, update and list print the organization', async () => {
    const created = await json('org', 'create', '--code', 'acme', '--name', 'Acme');
    expect(created).toEqual(shape({ code: 'acme' }));
    const options = ['--edition', 'standard', '--time-zone', 'Asia/Shanghai'];
    const second = await json('org', 'create', '--code', 'Second_1.x', '--name', 'Acme', ...options);
    expect(second).toEqual(shape({ code: 'Second_1.x', edition: 'standard', timeZone: 'Asia/Shanghai' }));
    const updated = await json(
      'org',
      'update',
      '--code',
      'acme',
      '--name',
      'Acme 2',
      '--status',
      'suspended',
      '--same-person-recheck',
      'allowed',
    );
    const change = { name: 'Acme 2', status: 'suspended', samePersonRecheck: true };
    expect(updated).toEqual({ ...created, ...change });
    const { organizations } = await json<{ organizations: object[] }>('org', 'list');
    expect(organizations).toEqual(expect.arrayContaining([updated, second]));
  });

  it('--json is accepted in any position; without it the next step is printed', async () => {
    const code = await newCode();
    expect((await lotward('--json', 'org', 'list')).stdout).toContain(`"code":"${code}"`);
    expect((await lotward('org', '--json', 'list')).stdout).toContain(`"code":"${code}"`);
    const created = await lotward('org', 'create', '--code', `${code}-b`, '--name', 'N');
    expect(created.stdout).toContain(`lotward key create --org ${code}-b`);
  });
});

describe('user', () => {
  it('create prints the user, and an administrator then owns new keys', async () => {
    const org = await newCode();
    const made = await json('user', 'create', '--org', org, '--email', 'Jo@User.Example', '--role', 'admin');
    expect(made).toEqual({
      userId: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      email: 'jo@user.example',
      role: 'admin',
    });
    const key = await json('key', 'create', '--org', org, '--name', 'k', '--scope', 'udi:read');
    expect(key).toMatchObject({ owner: 'jo@user.example' });
  });

  it('update turns the daily digest of a user on and off, and confirms it', async () => {
    const org = await newCode();
    const email = `digest@${org}.example`;
    for (const each of [email, `other@${org}.example`])
      await json('user', 'create', '--org', org, '--email', each, '--role', 'admin');
    const digests = async () =>
      Object.fromEntries(
        (
          await db.sql<{ email: string; on: boolean }>(
            'select email, daily_digest as on from users where email like $1',
            [`%@${org}.example`],
          )
        ).map((row) => [row.email, row.on]),
      );
    const before = await digests();
    const update = (choice: string) =>
      json('user', 'update', '--org', org, '--email', email.toUpperCase(), '--daily-digest', choice);
    for (const [choice, dailyDigest] of [
      ['off', false],
      ['on', true],
      ['off', false],
    ] as const) {
      expect(await update(choice)).toEqual({ email: email.toUpperCase(), dailyDigest });
      expect(await digests()).toEqual({ ...before, [email]: dailyDigest });
    }
    const said = await lotward('user', 'update', '--org', org, '--email', email, '--daily-digest', 'on');
    expect(said).toMatchObject({ code: 0, stdout: `The daily digest is on for ${email}.\n` });
  });
});

describe('udi read', () => {
  const CODE = '(01)06901234567892(17)291231(10)LOT-7(21)S-1';

  it('decodes a code without a database', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
    const reading = await json<{ ok: boolean; udi: object }>('udi', 'read', CODE);
    expect(reading).toMatchObject({
      ok: true,
      udi: {
        deviceIdentifier: '06901234567892',
        batchNo: 'LOT-7',
        serialNo: 'S-1',
        expiryDate: '2029-12-31',
      },
    });
    const { stdout } = await lotward('udi', 'read', CODE);
    expect(stdout).toMatch(/^batchNo +LOT-7$/m);
    expect(stdout).not.toContain('null');
  });

  it('reports the problem and its position in an invalid code, and fails', async () => {
    const run = await lotward('udi', 'read', '(01)06901234567893');
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/^\w+ at position \d+: .+\n$/);
    const asJson = await lotward('udi', 'read', '(01)06901234567893', '--json');
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, failure: { reason: expect.any(String) } });
  });
});

describe('key', () => {
  interface Made {
    keyId: string;
    secret: string;
    apiKey: string;
  }
  const basics = ['--name', 'erp', '--scope', 'products:read, orders:read', '--owner', 'owner@key.example'];

  it('create prints the key pair once, with its scopes', async () => {
    const org = await newCode('--time-zone', 'Asia/Shanghai');
    const options = ['--ip', '127.0.0.1, 2001:db8::/32', '--expires', '2099-12-31'];
    const made = await json<Made>('key', 'create', '--org', org, ...basics, ...options);
    expect(made).toEqual({
      keyId: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
      secret: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      apiKey: expect.stringMatching(/^lw_/),
      name: 'erp',
      owner: 'owner@key.example',
      scopes: ['products:read', 'orders:read'],
      allowList: ['127.0.0.1', '2001:db8::/32'],
      customerCode: null,
      expiresAt: '2099-12-31T15:59:59.999Z',
    });
    expect((await api.call('GET', '/v2/products', undefined, made.apiKey)).status).toBe(200);
  });

  it('list shows all fields except the secret', async () => {
    const org = await newCode();
    const { keyId, secret } = await json<Made>('key', 'create', '--org', org, ...basics);
    const listed = await lotward('key', 'list', '--org', org, '--json');
    const { keys } = JSON.parse(listed.stdout) as { keys: object[] };
    expect(keys).toEqual([expect.objectContaining({ keyId, name: 'erp', revokedAt: null, expiresAt: null })]);
    expect(listed.stdout).not.toContain(secret);
    expect(listed.stdout.toLowerCase()).not.toContain('hash');
    expect((await lotward('key', 'list', '--org', org)).stdout).toContain('active');
  });

  it('rotate prints a new secret under the same id; revoke ends the key', async () => {
    const org = await newCode();
    const made = await json<Made>('key', 'create', '--org', org, ...basics);
    const rotated = await json<Made>('key', 'rotate', made.keyId, '--overlap', '0');
    expect(rotated).toMatchObject({
      keyId: made.keyId,
      scopes: ['products:read', 'orders:read'],
      expiresAt: null,
      overlapUntil: expect.any(String),
    });
    expect(rotated.secret).not.toBe(made.secret);
    const status = async (key: string) => (await api.call('GET', '/v2/whoami', undefined, key)).status;
    expect([await status(made.apiKey), await status(rotated.apiKey)]).toEqual([401, 200]);
    expect(await json('key', 'revoke', made.keyId)).toEqual({
      keyId: made.keyId,
      revokedAt: expect.any(String),
    });
    expect((await lotward('key', 'list', '--org', org)).stdout).toContain('revoked');
  });
});

describe('a command that cannot be carried out fails with one clear line', () => {
  const create = (option: string, value: string) =>
    ['key', 'create', '--org', 'known', '--name', 'k', '--scope', 'udi:read', option, value] as const;
  beforeAll(async () => {
    for (const [name, value] of Object.entries(environmentFor(db))) vi.stubEnv(name, value);
    await json('org', 'create', '--code', 'known', '--name', 'Known');
    await json('user', 'create', '--org', 'known', '--email', 'admin@known.example', '--role', 'admin');
    vi.unstubAllEnvs();
  });

  it.each<[readonly string[], RegExp]>([
    [['org', 'create', '--code', 'known', '--name', 'N'], /another organization has this code/],
    [['org', 'create', '--code', 'no spaces', '--name', 'N'], /--code takes letters, digits/],
    [
      ['org', 'create', '--code', 'new', '--name', 'N', '--edition', 'gold'],
      /must be one of ordinary, standard/,
    ],
    [['org', 'create', '--code', 'new', '--name', 'N', '--time-zone', 'Mars/X'], /not an IANA time zone/],
    [['org', 'update', '--code', 'known'], /Give at least one of/],
    [['org', 'update', '--code', 'known', '--status', 'gone'], /must be one of active, suspended/],
    [['user', 'create', '--org', 'known', '--email', 'x', '--role', 'admin'], /not an e-mail address/],
    [
      ['user', 'create', '--org', 'known', '--email', 'a@b', '--role', 'boss'],
      /must be one of admin, quality/,
    ],
    [
      ['user', 'create', '--org', 'known', '--email', 'Admin@known.example', '--role', 'admin'],
      /is already a member/,
    ],
    [
      ['user', 'update', '--org', 'known', '--email', 'nobody@known.example', '--daily-digest', 'on'],
      /User not found/,
    ],
    [
      ['user', 'update', '--org', 'known', '--email', 'admin@known.example', '--daily-digest', 'weekly'],
      /--daily-digest must be one of on, off/,
    ],
    [['key', 'list', '--org', 'nowhere'], /There is no organization nowhere/],
    [['key', 'rotate', 'nokey'], /There is no key nokey/],
    [['key', 'rotate', 'nokey', '--overlap', 'soon'], /is not a duration/],
    [['key', 'revoke', 'nokey'], /There is no key nokey/],
    [create('--scope', 'products:all'), /products:all is not a scope/],
    [create('--ip', '10.0.0.0/99'), /neither an address nor a CIDR block/],
    [create('--expires', 'tomorrow'), /--expires takes YYYY-MM-DD/],
    [create('--expires', '2001-01-01'), /expiry lies in the past/],
    [create('--owner', 'nobody'), /not an e-mail address/],
    [create('--customer', 'NONE'), /Customer NONE does not exist/],
  ])('%j', async (args, expected) => {
    const run = await lotward(...args);
    expect(run.code).toBe(1);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(expected);
    expect(run.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it.each([[['key', 'create']], [['org', 'creat']], [['nonsense']], [['org', 'list', '--nonsense']]])(
    'and with a hint to --help when the line itself is wrong: %j',
    async (args) => {
      const run = await lotward(...args);
      expect(run.code).toBe(1);
      expect(run.stdout).toBe('');
      expect(run.stderr).toMatch(/^error: .+\n(\(Did you mean .+\)\n)?\(add --help for usage\)\n$/);
    },
  );
});

describe('--help', () => {
  it('describes every command, without a database', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none');
    const seen: string[] = [];
    const visit = async (path: readonly string[]): Promise<void> => {
      const run = await lotward(...path, '--help');
      expect(run, path.join(' ')).toMatchObject({ code: 0, stderr: '' });
      expect(run.stdout).toContain(`Usage: lotward ${path.join(' ')}`.trimEnd());
      seen.push(path.join(' '));
      const commands = run.stdout.split(/^Commands:$/m)[1]?.split(/^\S/m)[0] ?? '';
      for (const [, name] of commands.matchAll(/^ {2}([a-z-]+)\b.* {2,}\S/gm)) {
        if (name !== undefined && name !== 'help') await visit([...path, name]);
      }
    };
    await visit([]);
    expect(seen).toEqual(
      expect.arrayContaining([
        ...['start', 'api', 'worker', 'migrate', 'openapi', 'audit verify', 'stock verify'],
        ...['org create', 'org update', 'org list', 'user create'],
        ...['key create', 'key list', 'key rotate', 'key revoke', 'signing-key rotate'],
        ...['client create', 'client list', 'client rotate', 'client revoke', 'user list', 'user invite'],
      ]),
    );
  });
});
