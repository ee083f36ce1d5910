import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

const CHECK_EVERY_MS = 5000;

/** The addresses that an operator assigned to names in the hosts file, always current. */
export class HostsFile {
  readonly #path: string;
  readonly #now: () => number;
  #names: ReadonlyMap<string, readonly string[]> = new Map();
  #version = '';
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(path: string, now: () => number) {
    this.#path = path;
    this.#now = now;
  }

  addressesOf(host: string): readonly string[] {
    this.#refresh();
    return this.#names.get(host) ?? [];
  }

  #refresh(): void {
    const now = this.#now();
    if (now - this.#checkedAt < CHECK_EVERY_MS) return;
    this.#checkedAt = now;
    const found = statSync(this.#path, { throwIfNoEntry: false });
    const version = found ? `${found.ino} ${found.mtimeMs} ${found.size}` : '';
    if (version === this.#version) return;
    this.#version = version;
    this.#names = found ? parseHosts(readFileSync(this.#path, 'utf8')) : new Map();
  }
}

function parseHosts(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), address]);
    }
  }
  return names;
}
