import { Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join, resolve } from 'node:path';
import { weaknessOf } from './secret-key.js';

/** All settings, read once from the environment. No other code reads the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The embedded database in `dataDir`: no other is given. */
  readonly isEmbedded: boolean;
  /** The login of the database owner, which the service uses to migrate and to look up the logins of its roles. */
  readonly databaseUrl: string | null;
  /** The logins of the roles; with them, the service has no other login. */
  readonly roleUrls: RoleUrls | null;
  /** The login of the owner, for `lotward migrate` only. */
  readonly migrationUrl: string | null;
  /** The database past a connection pooler. */
  readonly directUrl: string | null;
  /** For reads that may lag. */
  readonly replica: { readonly url: string; readonly lagMaxMs: number } | null;
  readonly dataDir: string;
  /** Newest first; null on the embedded database, which stores its key in the data folder. */
  readonly secretKeys: readonly string[] | null;
  readonly redisUrl: string | null;
  readonly tls: { readonly cert: string; readonly key: string } | null;
  readonly trustedProxies: readonly string[];
  readonly publicUrl: string | null;
  /** Null loads it on an empty embedded database only. */
  readonly demo: boolean | null;
  readonly adminEmail: string | null;
  /** The key with which commands call another server. */
  readonly apiKey: string | null;
  /** For the demo users; null generates one when the demo is loaded. */
  readonly adminPassword: string | null;
  /** The first administrator of every new organization. */
  readonly firstAdministrator: { readonly email: string; readonly password: string } | null;
  /** Null writes mail to the folder `outbox` of `dataDir`. */
  readonly smtpUrl: string | null;
  readonly mailFrom: { readonly name: string; readonly address: string };
  readonly webhooks: {
    readonly headerPrefix: string;
    readonly timeoutMs: number;
    readonly retryDelaysMs: readonly number[];
    readonly disableAfter: number;
    readonly allowedNetworks: readonly string[];
    /** Empty for the name servers of the host. */
    readonly nameServers: readonly string[];
  };
  /** Retention of sensor readings. */
  readonly readingRetentionDays: number;
  readonly mqttUrl: string | null;
  readonly corsOrigins: readonly string[];
  readonly metricsToken: string | null;
  readonly apiProcesses: number;
  /** How long a stopping API process keeps answering while `/readyz` reports that it is about to stop. */
  readonly stopDelaySeconds: number;
  /** Only this host reaches the server, even through a proxy. */
  readonly onLoopback: boolean;
  readonly logLevel: string;
}

export type RoleUrls = Readonly<Record<'app' | 'reader' | 'worker', string>>;

/** An invalid setting; the message is one line with its name and the reason. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
export const DEMO_ADMIN_EMAIL = 'admin@demo.example';
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
/** A load balancer asks every few seconds whether a process is ready. */
const STOP_DELAY_SECONDS_DEFAULT = 5;
/** Far more than a healthy replica lags, yet short enough that nobody mistakes old data for an error. */
const READ_LAG_SECONDS_DEFAULT = 10;
/** Five years and a little. */
export const READING_RETENTION_DAYS_DEFAULT = 1_830;

export function readConfig(env: Environment = process.env, cwd: string = process.cwd()): Config {
  const databases = databaseUrls(env);
  const redisUrl = optional(env, 'REDIS_URL');
  if (redisUrl !== null) requireUrl('REDIS_URL', redisUrl, ['redis:', 'rediss:']);
  const publicUrl = optional(env, 'PUBLIC_URL');
  if (publicUrl !== null) requireUrl('PUBLIC_URL', publicUrl, ['http:', 'https:']);
  const smtpUrl = optional(env, 'SMTP_URL');
  if (smtpUrl !== null) requireSmtpUrl(smtpUrl);
  const mqttUrl = optional(env, 'MQTT_URL');
  if (mqttUrl !== null) requireUrl('MQTT_URL', mqttUrl, ['mqtt:', 'mqtts:', 'ws:', 'wss:']);
  const logLevel = optional(env, 'LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel))
    throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}.`);
  const dataDir = optional(env, 'LOTWARD_DATA_DIR') ?? '.lotward';
  const host = optional(env, 'HOST') ?? '127.0.0.1';
  const trustedProxies = networks(env, 'TRUST_PROXY');
  const onLoopback = LOOPBACK.has(host) && trustedProxies.length === 0;
  return Object.freeze({
    host,
    port: integer(env, 'PORT', 8080, 0, 65_535),
    ...databases,
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(cwd, dataDir),
    secretKeys: secretKeys(env, databases.isEmbedded),
    redisUrl,
    tls: tlsFiles(env, cwd),
    trustedProxies,
    publicUrl,
    demo: flag(env, 'LOTWARD_DEMO'),
    apiKey: optional(env, 'LOTWARD_API_KEY'),
    adminEmail: adminEmail(env, databases.isEmbedded),
    adminPassword: optional(env, 'LOTWARD_ADMIN_PASSWORD'),
    firstAdministrator: firstAdministrator(env),
    smtpUrl,
    mailFrom: mailFrom(env),
    webhooks: webhooks(env),
    readingRetentionDays: integer(env, 'READING_RETENTION_DAYS', READING_RETENTION_DAYS_DEFAULT, 1, 36_500),
    mqttUrl,
    corsOrigins: list(env, 'CORS_ORIGINS').map((origin) => requireOrigin(origin)),
    metricsToken: optional(env, 'METRICS_TOKEN'),
    apiProcesses: integer(env, 'WEB_CONCURRENCY', 1, 1, 64),
    stopDelaySeconds: integer(env, 'STOP_DELAY_SECONDS', onLoopback ? 0 : STOP_DELAY_SECONDS_DEFAULT, 0, 300),
    onLoopback,
    logLevel,
  });
}

function optional(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

function list(env: Environment, name: string): string[] {
  return (optional(env, name) ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = optional(env, name);
  if (text === null) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}

function flag(env: Environment, name: string): boolean | null {
  const text = optional(env, name);
  if (text === null) return null;
  if (text !== '0' && text !== '1') throw new ConfigError(`${name} must be 0 or 1, not "${text}".`);
  return text === '1';
}

function requireUrl(name: string, text: string, protocols: readonly string[]): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !protocols.includes(url.protocol)) {
    throw new ConfigError(
      `${name} must be an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
  }
}

export const ROLE_SETTINGS: RoleUrls = {
  app: 'DATABASE_APP_URL',
  reader: 'DATABASE_READER_URL',
  worker: 'DATABASE_WORKER_URL',
};

function databaseUrls(
  env: Environment,
): Pick<Config, 'isEmbedded' | 'databaseUrl' | 'roleUrls' | 'migrationUrl' | 'directUrl' | 'replica'> {
  const logins = loginUrls(env);
  const [directUrl, readUrl] = ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'].map((name) => {
    const url = databaseUrl(env, name);
    if (url !== null && logins.isEmbedded)
      throw new ConfigError(`${name} is another address of the database of DATABASE_URL: give both.`);
    return url;
  }) as [string | null, string | null];
  const lagMaxMs = 1_000 * integer(env, 'DATABASE_READ_LAG_SECONDS', READ_LAG_SECONDS_DEFAULT, 1, 3_600);
  return { ...logins, directUrl, replica: readUrl === null ? null : { url: readUrl, lagMaxMs } };
}

function databaseUrl(env: Environment, name: string): string | null {
  const url = optional(env, name);
  if (url !== null) requireDatabaseUrl(name, url);
  return url;
}

function loginUrls(
  env: Environment,
): Pick<Config, 'isEmbedded' | 'databaseUrl' | 'roleUrls' | 'migrationUrl'> {
  const names = Object.values(ROLE_SETTINGS);
  const given = ['DATABASE_URL', 'DATABASE_MIGRATION_URL', ...names].map((name) => databaseUrl(env, name));
  const [ownerUrl = null, migrationUrl = null, app = null, reader = null, worker = null] = given;
  const isEmbedded = given.every((url) => url === null);
  if (app === null && reader === null && worker === null)
    return { isEmbedded, databaseUrl: ownerUrl, migrationUrl, roleUrls: null };
  if (app === null || reader === null || worker === null)
    throw new ConfigError(`${names.join(', ')} must be given together.`);
  // If it were still set, the service could read the owner's login.
  if (ownerUrl !== null)
    throw new ConfigError(
      `DATABASE_URL must not be given with ${ROLE_SETTINGS.app}: give the owner's login to "lotward migrate" alone, as DATABASE_MIGRATION_URL.`,
    );
  return { isEmbedded, databaseUrl: ownerUrl, migrationUrl, roleUrls: { app, reader, worker } };
}

/** Not parsed as a URL: PostgreSQL allows several hosts, which a URL does not. */
function requireDatabaseUrl(name: string, text: string): void {
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new ConfigError(
      `${name} must be an address that begins with postgres:// or postgresql://, as in postgres://user:password@db.internal:5432/lotward.`,
    );
  }
}

function requireOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.origin !== text || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`CORS_ORIGINS must list origins such as https://app.example, not "${text}".`);
  return text;
}

function secretKeys(env: Environment, isEmbedded: boolean): string[] | null {
  const keys = list(env, 'LOTWARD_SECRET_KEY');
  // An older key only opens seals, so that a weak one can still be replaced.
  const weakness = keys[0] === undefined ? null : weaknessOf(keys[0]);
  if (weakness !== null) {
    throw new ConfigError(
      `LOTWARD_SECRET_KEY ${weakness}; generate one with: openssl rand -base64 32. To replace a key in use, give "new,old" and run: lotward secrets reseal`,
    );
  }
  if (keys.length > 0) return keys;
  if (!isEmbedded) {
    throw new ConfigError(
      'LOTWARD_SECRET_KEY is required with DATABASE_URL; generate one with: openssl rand -base64 32',
    );
  }
  return null;
}

function tlsFiles(env: Environment, cwd: string): Config['tls'] {
  const certFile = optional(env, 'TLS_CERT_FILE');
  const keyFile = optional(env, 'TLS_KEY_FILE');
  if (certFile === null && keyFile === null) return null;
  if (certFile === null || keyFile === null)
    throw new ConfigError('TLS_CERT_FILE and TLS_KEY_FILE must be given together.');
  return { cert: fileOf('TLS_CERT_FILE', certFile, cwd), key: fileOf('TLS_KEY_FILE', keyFile, cwd) };
}

function fileOf(name: string, path: string, cwd: string): string {
  try {
    return readFileSync(isAbsolute(path) ? path : join(cwd, path), 'utf8');
  } catch {
    throw new ConfigError(`${name}: the file ${path} cannot be read.`);
  }
}

function networks(env: Environment, name: string): string[] {
  return list(env, name).map((text) => {
    const [address = '', bits, more] = text.split('/');
    const version = isIP(address);
    const bitsMax = version === 4 ? 32 : 128;
    // A /0 block would trust every caller to state its own address.
    const bitsOk = bits === undefined || (/^[1-9]\d*$/.test(bits) && Number(bits) <= bitsMax);
    if (version === 0 || !bitsOk || more !== undefined)
      throw new ConfigError(`${name} must list addresses or CIDR blocks, not "${text}".`);
    return text;
  });
}

function nameServers(env: Environment, name: string): string[] {
  const servers = list(env, name);
  try {
    new Resolver().setServers(servers);
  } catch {
    throw new ConfigError(`${name} must list addresses such as 10.0.0.2 or 10.0.0.2:5353, not "${servers}".`);
  }
  return servers;
}

function adminEmail(env: Environment, isEmbedded: boolean): string | null {
  const text = optional(env, 'LOTWARD_ADMIN_EMAIL');
  if (text !== null && !/^[^\s@]+@[^\s@]+$/.test(text))
    throw new ConfigError(`LOTWARD_ADMIN_EMAIL is not an e-mail address: "${text}".`);
  return text ?? (isEmbedded ? DEMO_ADMIN_EMAIL : null);
}

function firstAdministrator(env: Environment): Config['firstAdministrator'] {
  const email = optional(env, 'LOTWARD_ADMIN_EMAIL');
  const password = optional(env, 'LOTWARD_ADMIN_PASSWORD');
  return email !== null && password !== null ? { email, password } : null;
}

export const WEBHOOK_DEFAULTS: Config['webhooks'] = Object.freeze({
  headerPrefix: 'Lotward',
  timeoutMs: 5_000,
  retryDelaysMs: [60_000, 300_000, 900_000],
  disableAfter: 10,
  allowedNetworks: [],
  nameServers: [],
});
const RETRY_DELAY_SECONDS_MAX = 86_400;

function webhooks(env: Environment): Config['webhooks'] {
  const headerPrefix = optional(env, 'WEBHOOK_HEADER_PREFIX') ?? WEBHOOK_DEFAULTS.headerPrefix;
  if (!/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/.test(headerPrefix) || headerPrefix.length > 40)
    throw new ConfigError(`WEBHOOK_HEADER_PREFIX must be a word such as Lotward, not "${headerPrefix}".`);
  const delays = list(env, 'WEBHOOK_RETRY_DELAYS_S');
  return {
    headerPrefix,
    timeoutMs: integer(env, 'WEBHOOK_TIMEOUT_MS', WEBHOOK_DEFAULTS.timeoutMs, 50, 60_000),
    retryDelaysMs: delays.length > 0 ? delays.map(retryDelayMs) : WEBHOOK_DEFAULTS.retryDelaysMs,
    disableAfter: integer(env, 'WEBHOOK_DISABLE_AFTER', WEBHOOK_DEFAULTS.disableAfter, 1, 1_000),
    allowedNetworks: networks(env, 'WEBHOOK_ALLOWED_NETWORKS'),
    nameServers: nameServers(env, 'WEBHOOK_NAME_SERVERS'),
  };
}

function retryDelayMs(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds > RETRY_DELAY_SECONDS_MAX)
    throw new ConfigError(`WEBHOOK_RETRY_DELAYS_S must list seconds such as 60,300,900, not "${text}".`);
  return seconds * 1000;
}

/** Lenient parsers default a missing host to localhost, and fail only at the first mail. */
function requireSmtpUrl(text: string): void {
  requireUrl('SMTP_URL', text, ['smtp:', 'smtps:']);
  if (new URL(text).hostname === '')
    throw new ConfigError('SMTP_URL must name a host, as in smtp://mail.example:587.');
}

const DEFAULT_SENDER = 'Lotward <no-reply@lotward.invalid>';

function mailFrom(env: Environment): Config['mailFrom'] {
  const text = optional(env, 'MAIL_FROM') ?? DEFAULT_SENDER;
  const [, quoted, plain, inBrackets, bare] =
    /^(?:(?:"([^"<>]*)"|([^"<>]*?))\s*<([^<>]*)>|([^<>]*))$/.exec(text) ?? [];
  const name = quoted ?? plain ?? '';
  const address = inBrackets ?? bare ?? '';
  if (!/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(address) || /\p{Cc}/u.test(text))
    throw new ConfigError(`MAIL_FROM must be an address or Name <address>, not ${JSON.stringify(text)}.`);
  return { name, address };
}
