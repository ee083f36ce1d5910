import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface DemoKey {
  keyId: string;
  owner: string;
  /** Null if the key was shown at its creation and kept nowhere. */
  apiKey: string | null;
}

export interface DemoLogin {
  /** The administrator first. */
  emails: string[];
  /** The same for all users of the demo. */
  password: string;
}

interface Kept {
  keys?: readonly DemoKey[];
  login?: DemoLogin;
}

/** Reads the file; empty if it is missing or not in our format. */
function readKept(file: string): Kept {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'));
    return typeof kept === 'object' && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/** Replaces the file atomically, readable only by its owner. */
function keep(file: string, part: Kept): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ ...readKept(file), ...part }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}

export function readKeptKeys(file: string): Map<string, string> {
  const { keys } = readKept(file);
  if (!Array.isArray(keys)) return new Map();
  return new Map((keys as DemoKey[]).map((key) => [String(key?.keyId), String(key?.apiKey)]));
}

export const keepKeys = (file: string, keys: readonly DemoKey[]): void => keep(file, { keys });

export function readKeptLogin(file: string): DemoLogin | null {
  const { login } = readKept(file);
  return Array.isArray(login?.emails) && typeof login.password === 'string' ? login : null;
}

export const keepLogin = (file: string, login: DemoLogin): void => keep(file, { login });
