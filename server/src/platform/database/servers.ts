import { parseUrl } from '../parse-url.js';
import { StartRefused } from '../start-refused.js';

/** Values of libpq's `target_session_attrs`, without those that select a read-only server. */
const SESSION_ATTRIBUTES = ['any', 'read-write', 'primary'] as const;
export type SessionAttribute = (typeof SESSION_ATTRIBUTES)[number];

const EXAMPLE =
  'postgres://user:password@db1.internal:5432,db2.internal:5432/lotward?target_session_attrs=read-write';
const PORT_DEFAULT = 5432;
const PORT_MAX = 65_535;

interface Login {
  name: string;
  password: string;
}

/** The server chosen last, shared by all connections of a process. */
class Choice {
  index = 0;
  isSuspect = false;
  readonly listeners = new Set<() => void>();
}

/**
 * The servers of a `DATABASE_URL`: usually one, several if a standby can take over. The driver supports only one, so this
 * class tracks the current one.
 */
export class Servers {
  /** One URL per server, otherwise equal. */
  readonly urls: readonly string[];
  readonly attribute: SessionAttribute;
  /** The name of the setting that the URL comes from, for messages. */
  readonly setting: string;
  readonly #choice: Choice;

  private constructor(urls: readonly string[], attribute: SessionAttribute, setting: string, choice: Choice) {
    this.urls = urls;
    this.attribute = attribute;
    this.setting = setting;
    this.#choice = choice;
  }

  /** Messages never quote the URL: in a malformed one, any part may be the password. */
  static parse(url: string, setting = 'DATABASE_URL'): Servers {
    const { urls, attribute } = splitUrl(url, setting);
    return Servers.#of(urls, attribute, setting);
  }

  /** Servers to read from. They need not accept writes. */
  static parseReplicas(url: string, setting: string): Servers {
    return Servers.#of(splitUrl(url, setting).urls, 'any', setting);
  }

  static #of(urls: readonly string[], attribute: SessionAttribute, setting: string): Servers {
    for (const each of urls) {
      if (!parseUrl(each)) throw refused(setting, 'it cannot be read as an address');
    }
    return new Servers(urls, attribute, setting, new Choice());
  }

  get login(): Login {
    const { username, password } = new URL(this.urls[0] as string);
    return { name: decodeURIComponent(username), password: decodeURIComponent(password) };
  }

  /** The same servers for another login. */
  as(login: Login): Servers {
    const urls = this.urls.map((each) => {
      const own = new URL(each);
      own.username = encodeURIComponent(login.name);
      own.password = encodeURIComponent(login.password);
      return own.toString();
    });
    return new Servers(urls, this.attribute, this.setting, this.#choice);
  }

  get index(): number {
    return this.#choice.index;
  }

  /** A connection has failed since the last probe, so the servers must be probed again. */
  get isSuspect(): boolean {
    return this.#choice.isSuspect;
  }

  suspect(): void {
    this.#choice.isSuspect = this.urls.length > 1;
  }

  choose(index: number): void {
    const moved = index !== this.#choice.index;
    this.#choice.index = index;
    this.#choice.isSuspect = false;
    if (moved) for (const listener of this.#choice.listeners) listener();
  }

  /** Calls `listener` when another server is chosen. Returns a function that unsubscribes. */
  onMove(listener: () => void): () => void {
    this.#choice.listeners.add(listener);
    return () => this.#choice.listeners.delete(listener);
  }
}

const refused = (setting: string, why: string): StartRefused =>
  new StartRefused(
    `${setting} is wrong: ${why}. Write it like ${EXAMPLE}, with %40 for @, %2F for /, %3A for :, %3F for ? and %23 for # in ` +
      'the password.',
  );

function splitUrl(url: string, setting: string): { urls: string[]; attribute: SessionAttribute } {
  const match = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?$/.exec(url);
  if (!match) throw refused(setting, 'it cannot be read as an address');
  const [, scheme = '', login = '', authority = '', path = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  const named = parameters.get('target_session_attrs');
  const hosts = hostsOf(authority, parameters, setting);
  if (hosts === null && named === null) return { urls: [url], attribute: 'any' };
  parameters.delete('target_session_attrs');
  if (hosts !== null) for (const name of ['host', 'port']) parameters.delete(name);
  const rest = `${path}${parameters.size > 0 ? `?${parameters}` : ''}`;
  return {
    urls: (hosts ?? [authority]).map((host) => `${scheme}${login}${host}${rest}`),
    // libpq defaults to `any`, but the service needs a server that accepts writes.
    attribute: attributeOf(named ?? 'read-write', setting),
  };
}

/** Returns null for a single server, which the driver parses itself. */
function hostsOf(authority: string, parameters: URLSearchParams, setting: string): string[] | null {
  const listed = parameters.get('host');
  if (listed?.includes(',')) {
    if (authority !== '') throw refused(setting, 'hosts are given twice, before the database and as host=');
    const names = listed.split(',');
    const ports = (parameters.get('port') ?? '').split(',');
    if (ports.length !== 1 && ports.length !== names.length)
      throw refused(setting, 'port= must have one port, or one for each of host=');
    return names.map((name, i) =>
      hostWithPort(name, (ports.length === 1 ? ports[0] : ports[i]) ?? '', i, setting),
    );
  }
  if (!authority.includes(',')) return null;
  return authority.split(',').map((text, i) => {
    const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(text) ?? [];
    return hostWithPort(name, port, i, setting);
  });
}

function hostWithPort(name: string, port: string, place: number, setting: string): string {
  if (name === '') throw refused(setting, `host ${place + 1} has no name`);
  const number = port === '' ? PORT_DEFAULT : Number(port);
  if (!/^\d*$/.test(port) || number < 1 || number > PORT_MAX)
    throw refused(setting, `the port of host ${place + 1} is not a number from 1 to ${PORT_MAX}`);
  return `${name}:${number}`;
}

function attributeOf(text: string, setting: string): SessionAttribute {
  const known = SESSION_ATTRIBUTES.find((each) => each === text);
  if (known) return known;
  const all = SESSION_ATTRIBUTES.join(', ');
  throw refused(
    setting,
    `target_session_attrs must be one of ${all}, because Lotward writes to the server that it chooses`,
  );
}
