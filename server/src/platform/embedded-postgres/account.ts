import { execFile } from 'node:child_process';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StartRefused } from '../start-refused.js';

export interface Account {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root, so root runs it as one of these. */
export async function unprivilegedAccount(): Promise<Account> {
  const existing = (await accountNamed('postgres')) ?? (await accountNamed('lotward'));
  if (existing) return existing;
  // If this fails (no useradd, or another process was faster), the lookup below decides.
  const options = ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin'];
  await promisify(execFile)('/usr/sbin/useradd', [...options, 'lotward']).catch(() => {});
  const account = (await accountNamed('lotward')) ?? (await accountNamed('nobody'));
  if (account) return account;
  throw new StartRefused(
    'PostgreSQL does not run as root and no other account was found: start as an ordinary user, or create a ' +
      'system user named lotward',
  );
}

async function accountNamed(name: string): Promise<Account | undefined> {
  for (const line of (await readFile('/etc/passwd', 'utf8')).split('\n')) {
    const [user, , uid, gid] = line.split(':');
    if (user === name) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Returns whether the account has all of `bits` (4 read, 2 write, 1 execute), by the rules of the kernel. */
export function allows(stats: { mode: number; uid: number; gid: number }, account: Account, bits: number) {
  const shift = stats.uid === account.uid ? 6 : stats.gid === account.gid ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}

/** Returns whether the account can enter the folder, through every folder above it. */
export async function canEnter(folder: string, account: Account): Promise<boolean> {
  for (let path = await realpath(folder); ; path = dirname(path)) {
    if (!allows(await stat(path), account, 1)) return false;
    if (path === dirname(path)) return true;
  }
}
