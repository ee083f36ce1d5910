import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface DemoKey {
  keyId: string;
  owner: string;
  /** Null: it was shown when it was made and cannot be shown again. */
  apiKey: string | null;
}

/** The keys in the file, or none when it is lost or is not what we wrote. */
export function readKeptKeys(file: string): Map<string, string> {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { keys: { keyId: string; apiKey: string }[] };
    return new Map(kept.keys.map((key) => [String(key.keyId), String(key.apiKey)]));
  } catch {
    return new Map();
  }
}

/** Whole or not at all, and for nobody else's eyes. */
export function keepKeys(file: string, keys: readonly DemoKey[]): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ keys }, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
