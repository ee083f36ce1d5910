import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fullTier, sized } from '../../../test/harness/index.js';
import { StartRefused } from '../start-refused.js';
import { allows, canEnter } from './account.js';
import { copyBinaries, linkLibraries } from './binaries.js';
import { exclusively } from './exclusively.js';
import { freePort, useEmbeddedPostgres } from './index.js';
import { choosePlace, SYSTEM_FOLDER } from './place.js';
import { findPostmaster } from './postmaster.js';
import { processInfo } from './process-info.js';
import { prepareSocketFolder } from './socket.js';

const root = process.getuid?.() === 0;
const VISITS = sized(2, 6);
const CROWD = sized(2, 4);
const children: ChildProcess[] = [];
let scratch: string;
let ready: string;
let crowd: Awaited<ReturnType<typeof startUser>>[];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
  // Only the folders under test are to be closed to the account that runs PostgreSQL.
  await chmod(scratch, 0o711);
  await writeProgram();
  ready = join(scratch, 'made', 'data');
  // Killed in the middle, as the first use below finds it.
  const killed = launch('use', ready);
  await until(async () => (await readdir(ready)).some((name) => name.startsWith('initdb-')));
  await killGroup(killed);
  expect(await readdir(ready)).not.toContain('postgres');
  // Created by several at once, as a test below checks: initdb is what takes the time in this file.
  crowd = await Promise.all(Array.from({ length: CROWD }, () => startUser(ready)));
  await Promise.all(crowd.map((user) => user.release()));
  children.splice(0);
}, 120_000);

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'exit');
  }
  for (const name of await readdir(scratch)) await killPostmaster(join(scratch, name, 'postgres'));
  await killPostmaster(join(ready, 'postgres'));
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('the first use', () => {
  it('makes a private database that listens only on the loopback and stops with its only user, also after an initdb that was killed', async () => {
    const dataDir = ready;
    const database = await useEmbeddedPostgres({ dataDir });
    try {
      expect(database.url).toMatch(
        /^postgres:\/\/lotward:[\w-]{32}@127\.0\.0\.1:\d+\/lotward\?host=[\w%.-]+$/,
      );
      expect(crowd.flatMap((user) => user.messages)).toEqual([
        expect.stringContaining('Creating a PostgreSQL 18 database'),
      ]);
      expect((await stat(dataDir)).mode & 0o707).toBe(0o700);
      expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
      const [settings] = await query(
        database.url,
        `select current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets,
           current_setting('fsync') as fsync, current_setting('max_connections') as connections,
           current_setting('server_encoding') as encoding, datctype as locale
         from pg_database where datname = current_database()`,
      );
      expect(settings).toEqual({
        listen: '127.0.0.1',
        sockets: `"${join(dataDir, 'postgres')}"`,
        fsync: 'on',
        connections: '200',
        encoding: 'UTF8',
        locale: 'C',
      });
      const wrong = database.url.replace(/lotward:[^@]+/, 'lotward:wrong');
      await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed');
      expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).toContain('ready to accept connections');
    } finally {
      await database.release();
    }
    await database.release();
    expect(await postmasterOf(dataDir)).toBeUndefined();
    await expect(query(database.url, 'select 1')).rejects.toThrow('ENOENT');
    // The killed process leaves its initdb an orphan, which may write into its own folder a moment longer.
    const kept = (await readdir(dataDir)).filter((name) => !name.startsWith('initdb-'));
    expect(kept.sort()).toEqual(['claims', 'postgres', 'postgres.json', 'postgres.log']);
    expect(await readdir(join(dataDir, 'claims'))).toEqual([]);
  }, 120_000);

  it('makes one database when several processes begin at once', async () => {
    expect(new Set(crowd.map((user) => user.url)).size).toBe(1);
    // The log has the beginning of the killed one too.
    expect(crowd.flatMap((user) => user.messages)).toHaveLength(1);
    expect(await postmasterOf(ready)).toBeUndefined();
  });
});

describe('several processes', () => {
  it('share one database, and the last one out stops it', async () => {
    const [first, second] = [await startUser(ready), await startUser(ready)];
    expect(second.url).toBe(first.url);
    const own = await useEmbeddedPostgres({ dataDir: ready });
    await first.release();
    await own.release();
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.release();
    expect(await postmasterOf(ready)).toBeUndefined();
  }, 120_000);

  it('come and go at the same time, and each gets a running database', async () => {
    const visitors = [1, 2, 3].map(() => launch('visit', ready, String(VISITS)));
    const codes = await Promise.all(visitors.map(async (child) => (await once(child, 'exit'))[0]));
    expect(codes).toEqual([0, 0, 0]);
    expect(await postmasterOf(ready)).toBeUndefined();
  }, 120_000);

  it('are not kept alive by their share of the database', async () => {
    const [code] = await once(launch('use-and-exit', ready), 'exit');
    expect(code).toBe(0);
    expect(await postmasterOf(ready)).toBeDefined();
  }, 120_000);
});

describe('after a crash', () => {
  it('takes over a database whose users were killed, and stops it in the end', async () => {
    const user = await startUser(ready);
    const before = await postmasterOf(ready);
    await killGroup(user.child);
    const database = await useEmbeddedPostgres({ dataDir: ready });
    expect(await postmasterOf(ready)).toEqual(before);
    expect(database.url).toBe(user.url);
    await until(async () => {
      const leases = await query(
        database.url,
        "select 1 from pg_stat_activity where application_name = 'lease'",
      );
      return leases.length === 1;
    });
    await database.release();
    expect(await postmasterOf(ready)).toBeUndefined();
  }, 120_000);

  it('recovers a database that was killed together with its users', async () => {
    const user = await startUser(ready);
    await query(user.url, 'create table kept as select 7 as n');
    await killGroup(user.child);
    process.kill((await postmasterOf(ready))?.pid ?? 0, 'SIGKILL');
    const database = await useEmbeddedPostgres({ dataDir: ready });
    expect(await query(database.url, 'table kept')).toEqual([{ n: 7 }]);
    await query(database.url, 'drop table kept');
    await database.release();
  }, 120_000);

  it('sees that the number of a dead server now belongs to another program', async () => {
    const other = spawn('sleep', ['60']);
    children.push(other);
    await writeFile(join(ready, 'postgres', 'postmaster.pid'), `${other.pid}\n${ready}/postgres\n1\n5432\n`);
    const database = await useEmbeddedPostgres({ dataDir: ready });
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.release();
    expect(other.exitCode).toBeNull();
  }, 120_000);

  it('brings a killed database back under its users', async () => {
    const database = await useEmbeddedPostgres({ dataDir: ready });
    const killed = await postmasterOf(ready);
    process.kill(killed?.pid ?? 0, 'SIGKILL');
    await until(async () => (await query(database.url, 'select 1 as one')).length === 1);
    expect((await postmasterOf(ready))?.pid).not.toBe(killed?.pid);
    await database.release();
    expect(await postmasterOf(ready)).toBeUndefined();
  }, 120_000);
});

describe('a start', () => {
  it('takes an existing database as it is, and keeps its port', async () => {
    const { port } = JSON.parse(await readFile(join(ready, 'postgres.json'), 'utf8'));
    const identifierAt = async () => {
      const database = await useEmbeddedPostgres({ dataDir: ready });
      const rows = await query(database.url, 'select system_identifier::text as id from pg_control_system()');
      await database.release();
      expect(new URL(database.url).port).toBe(String(port));
      return rows;
    };
    // A new one has another.
    expect(await identifierAt()).toEqual(await identifierAt());
  });

  it.each([
    ['that is too long for a socket', 'x'.repeat(100)],
    ['that means several hosts', 'a,b'],
  ])('serves a folder with a path %s over the loopback', async (_, name) => {
    const dataDir = await withFiles(name, {});
    execFileSync('cp', ['-a', join(ready, 'postgres.json'), join(ready, 'postgres'), dataDir]);
    if (root) await choosePlace(dataDir);
    const database = await useEmbeddedPostgres({ dataDir });
    expect(new URL(database.url).search).toBe('');
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.release();
  });

  it.runIf(process.platform === 'linux')('has no socket in a folder in which none can be made', async () => {
    const folder = await withFiles('empty', {});
    expect(await prepareSocketFolder(folder)).toBe(folder);
    expect(await readdir(folder)).toEqual([]);
    expect(await prepareSocketFolder('/proc/self')).toBeNull();
  });

  it('joins a server without a socket, as an earlier version starts it, over the loopback', async () => {
    const first = await useEmbeddedPostgres({ dataDir: ready });
    const { port } = new URL(first.url);
    await rm(join(ready, 'postgres', `.s.PGSQL.${port}`));
    const second = await useEmbeddedPostgres({ dataDir: ready });
    expect(second.url).toBe(first.url.replace(/\?.*/, ''));
    expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await Promise.all([first.release(), second.release()]);
  });

  it('moves to another port when its own was taken', async () => {
    const { port } = JSON.parse(await readFile(join(ready, 'postgres.json'), 'utf8'));
    const squatter = createServer().listen(port, '127.0.0.1');
    await once(squatter, 'listening');
    const database = await useEmbeddedPostgres({ dataDir: ready });
    squatter.close();
    expect(new URL(database.url).port).not.toBe(String(port));
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.release();
  });

  it('says what to do about a database of another version', async () => {
    const dataDir = await withFiles('older', { 'postgres/PG_VERSION': '17\n' });
    await expect(useEmbeddedPostgres({ dataDir })).rejects.toThrow(
      /is of PostgreSQL 17, this program brings PostgreSQL 18: dump it/,
    );
  });

  it.each([
    ['missing', undefined],
    ['damaged', '{"port":'],
  ])('says what to do about a %s connection file', async (state, contents) => {
    const files = contents === undefined ? {} : { 'postgres.json': contents };
    const dataDir = await withFiles(state, { 'postgres/PG_VERSION': '18\n', ...files });
    await expect(useEmbeddedPostgres({ dataDir })).rejects.toThrow(`is ${state}: restore it, or move`);
  });

  it('shows the end of the log when the server fails', async () => {
    const config = join(ready, 'postgres', 'postgresql.auto.conf');
    const before = await readFile(config, 'utf8');
    await writeFile(config, 'no_such_setting = 1\n');
    const refused = await useEmbeddedPostgres({ dataDir: ready }).catch((error: unknown) => error);
    await writeFile(config, before);
    expect(refused).toBeInstanceOf(StartRefused);
    expect(String(refused)).toMatch(
      /PostgreSQL did not start;.*postgres\.log ends with:\n.*no_such_setting/s,
    );
  });

  it('says what to do when the folder is a file or closed', async () => {
    const file = join(scratch, 'file');
    await writeFile(file, '');
    for (const dataDir of [file, join(file, 'x'), join(file, 'x', 'y')]) {
      await expect(useEmbeddedPostgres({ dataDir })).rejects.toThrow(/file.*: choose another data folder/);
    }
    if (root) return;
    const closed = await withFiles('closed', {});
    await chmod(closed, 0o500);
    await expect(useEmbeddedPostgres({ dataDir: join(closed, 'x') })).rejects.toThrow('permission denied');
  });
});

describe('started by root', () => {
  it.runIf(root)('admits the account that runs PostgreSQL to a private folder, and nobody else', async () => {
    const dataDir = await mkdtemp(join(scratch, 'private-'));
    const place = await choosePlace(dataDir);
    expect(place.home).toBe(dataDir);
    const folder = await stat(dataDir);
    expect(folder).toMatchObject({ uid: 0, gid: place.account?.gid });
    expect(folder.mode & 0o777).toBe(0o710);
  });

  it.runIf(root)(
    'keeps the database elsewhere when the way to the folder is closed',
    async () => {
      const closed = await mkdtemp(join(scratch, 'closed-'));
      const dataDir = join(closed, 'data');
      // By default it finds a copy of the database made above: another initdb, on a disk, takes seconds.
      if (!fullTier) {
        const place = await choosePlace(dataDir);
        await cp(join(ready, 'postgres.json'), join(dataDir, 'postgres.json'));
        execFileSync('cp', ['-a', join(ready, 'postgres'), place.cluster]);
      }
      const database = await useEmbeddedPostgres({ dataDir });
      const home = (await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim();
      try {
        expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }]);
        expect(home).toMatch(new RegExp(`^${SYSTEM_FOLDER}/[0-9a-f]{12}$`));
        for (const folder of [closed, dataDir]) {
          const stats = await stat(folder);
          expect([stats.uid, stats.gid, stats.mode & 0o777]).toEqual([0, 0, 0o700]);
        }
        // It stays where it is, also when the way opens.
        await chmod(closed, 0o755);
        expect((await choosePlace(dataDir)).home).toBe(home);
      } finally {
        await database.release();
        await killPostmaster(join(home, 'postgres'));
        await rm(home, { recursive: true });
        // Goes too, unless others keep something there.
        await rmdir(SYSTEM_FOLDER).catch(() => {});
      }
    },
    120_000,
  );

  it('computes what an account may do as the kernel does', async () => {
    const file = { uid: 1, gid: 2, mode: 0o715 };
    expect(allows(file, { uid: 1, gid: 9 }, 7)).toBe(true);
    expect(allows(file, { uid: 9, gid: 2 }, 1)).toBe(true);
    expect(allows(file, { uid: 9, gid: 2 }, 4)).toBe(false);
    expect(allows(file, { uid: 9, gid: 9 }, 5)).toBe(true);
    expect(allows(file, { uid: 9, gid: 9 }, 2)).toBe(false);

    const stranger = { uid: 54_321, gid: 54_321 };
    const inner = await withFiles('outer/inner', {});
    await chmod(join(scratch, 'outer'), 0o755);
    await chmod(inner, 0o755);
    expect(await canEnter(inner, stranger)).toBe(true);
    await chmod(join(scratch, 'outer'), 0o750);
    expect(await canEnter(inner, stranger)).toBe(false);
  });
});

describe('the binaries', () => {
  it('get the links the install script would have made, and can be copied', async () => {
    const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
    const installed = await withFiles('package', {
      'native/pg-symlinks.json': JSON.stringify(links),
      'native/lib/libx.so.1.2': 'library',
      'native/bin/postgres': 'program',
    });
    await chmod(join(installed, 'native/bin/postgres'), 0o700);
    const copy = join(scratch, 'copy');
    await Promise.all([copyBinaries(installed, copy), copyBinaries(installed, copy)]);
    expect(await readFile(join(copy, 'native/lib/libx.so.1'), 'utf8')).toBe('library');
    expect((await stat(join(copy, 'native/bin/postgres'))).mode & 0o777).toBe(0o755);
    expect((await readdir(scratch)).filter((name) => name.startsWith('.copy'))).toEqual([]);

    expect(await Promise.all([linkLibraries(installed), linkLibraries(installed)])).toEqual([true, true]);
    expect(await readlink(join(installed, 'native/lib/libx.so.1'))).toBe('libx.so.1.2');
  });

  it.runIf(!root)('are reported unusable where links are missing and cannot be made', async () => {
    const installed = await withFiles('read-only', {
      'native/pg-symlinks.json': '[{"source":"native/lib/a.1","target":"native/lib/a"}]',
      'native/lib/a.1': '',
    });
    await chmod(join(installed, 'native/lib'), 0o500);
    const linked = await linkLibraries(installed);
    await chmod(join(installed, 'native/lib'), 0o700);
    expect(linked).toBe(false);
  });
});

describe('exclusively', () => {
  it('lets one at a time work, and removes the claims of the dead', async () => {
    const claims = await withFiles('claims', { '1-notitsstarttime-00': '', '999999999-1-00': '' });
    let working = 0;
    await Promise.all(
      Array.from({ length: 6 }, () =>
        exclusively(claims, async () => {
          expect(++working).toBe(1);
          await sleep(5);
          working--;
        }),
      ),
    );
    expect(await readdir(claims)).toEqual([]);
  }, 120_000);
});

describe('freePort', () => {
  it('gives the preferred port when it is free, otherwise another', async () => {
    const port = await freePort();
    expect(await freePort(port)).toBe(port);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    expect(await freePort(port)).not.toBe(port);
    server.close();
  });
});

/** Processes of their own need JavaScript: the sources are translated next to a program that uses them. */
async function writeProgram(): Promise<void> {
  const folder = join(scratch, 'program', 'embedded-postgres');
  await mkdir(folder, { recursive: true });
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
  };
  const sources = (await readdir(import.meta.dirname)).filter((name) => !name.endsWith('.test.ts'));
  for (const name of [...sources, '../start-refused.ts']) {
    const source = await readFile(join(import.meta.dirname, name), 'utf8');
    const { outputText } = ts.transpileModule(source, { compilerOptions });
    await writeFile(join(folder, name.replace(/ts$/, 'js')), outputText);
  }
  await symlink(
    join(import.meta.dirname, '../../../../node_modules'),
    join(scratch, 'program', 'node_modules'),
  );
  await writeFile(join(scratch, 'program', 'package.json'), '{"type":"module"}');
  await writeFile(
    join(scratch, 'program', 'main.js'),
    `import pg from 'pg';
     import { useEmbeddedPostgres } from './embedded-postgres/index.js';
     const [mode, dataDir, times = '1'] = process.argv.slice(2);
     for (let i = 0; i < Number(times); i++) {
       const onProgress = (message) => console.log(message);
       const database = await useEmbeddedPostgres({ dataDir, onProgress });
       console.log(database.url);
       if (mode === 'use-and-exit') break;
       if (mode === 'use') await new Promise((resolve) => process.stdin.once('data', resolve).once('end', resolve));
       const client = new pg.Client(database.url);
       await client.connect();
       await client.query('select 1');
       await client.end();
       await database.release();
     }
     process.stdin.destroy();`,
  );
}

function launch(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [join(scratch, 'program', 'main.js'), ...args], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function startUser(dataDir: string) {
  const child = launch('use', dataDir);
  if (!child.stdout) throw new Error('no output');
  const messages: string[] = [];
  let url = '';
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('postgres://')) {
      url = line;
      break;
    }
    messages.push(line);
  }
  const release = async () => {
    child.stdin?.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  };
  return { child, url, messages, release };
}

/** As a terminal or a supervisor does it: everything that belongs to the process's group. */
async function killGroup(child: ChildProcess): Promise<void> {
  process.kill(-(child.pid ?? 0), 'SIGKILL');
  await once(child, 'exit');
}

const postmasterOf = (dataDir: string) => findPostmaster(join(dataDir, 'postgres'));

async function killPostmaster(cluster: string): Promise<void> {
  const postmaster = await findPostmaster(cluster).catch(() => undefined);
  if (!postmaster) return;
  process.kill(postmaster.pid, 'SIGQUIT');
  await until(async () => (await processInfo(postmaster.pid)) === undefined);
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function withFiles(name: string, files: Record<string, string>): Promise<string> {
  const folder = join(scratch, name);
  await mkdir(folder, { recursive: true });
  for (const [path, contents] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), contents);
  }
  return folder;
}

/** Waits up to a minute; errors count as "not yet". */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await condition().catch(() => false))) {
    if (Date.now() > deadline) throw new Error('waited in vain');
    await sleep(20);
  }
}
