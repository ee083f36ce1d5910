import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Config, ConfigError, readConfig } from '../../src/config/index.js';

const SECRET = 'a secret of sixteen or more';
const SEVERAL_HOSTS = 'postgres://u:p@h1:5432,h2:5432/d?target_session_attrs=read-write';
const external = { DATABASE_URL: 'postgres://user:word@db.example/lotward', LOTWARD_SECRET_KEY: SECRET };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lotward-config-'));
  writeFileSync(join(folder, 'server.crt'), 'the certificate');
  writeFileSync(join(folder, 'server.key'), 'the key');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (env: Record<string, string | undefined>) => readConfig(env, folder);

/** The one-line message about an invalid environment. */
function complaint(env: Record<string, string>): string {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'no complaint';
}

describe('without any setting', () => {
  it('every setting has its documented default', () => {
    expect(read({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      isEmbedded: true,
      databaseUrl: null,
      roleUrls: null,
      migrationUrl: null,
      directUrl: null,
      replica: null,
      dataDir: join(folder, '.lotward'),
      secretKeys: null,
      redisUrl: null,
      tls: null,
      trustedProxies: [],
      publicUrl: null,
      demo: null,
      adminEmail: 'admin@demo.example',
      adminPassword: null,
      apiKey: null,
      firstAdministrator: null,
      smtpUrl: null,
      mailFrom: { name: 'Lotward', address: 'no-reply@lotward.invalid' },
      webhooks: {
        headerPrefix: 'Lotward',
        timeoutMs: 5_000,
        retryDelaysMs: [60_000, 300_000, 900_000],
        disableAfter: 10,
        allowedNetworks: [],
        nameServers: [],
      },
      mqttUrl: null,
      readingRetentionDays: 1_830,
      corsOrigins: [],
      metricsToken: null,
      apiProcesses: 1,
      stopDelaySeconds: 0,
      onLoopback: true,
      logLevel: 'info',
    } satisfies Config);
  });

  it('an empty or blank value counts as unset', () => {
    const names = ['HOST', 'PORT', 'DATABASE_URL', 'LOTWARD_DATA_DIR', 'LOTWARD_SECRET_KEY', 'REDIS_URL'];
    names.push('TLS_CERT_FILE', 'TLS_KEY_FILE', 'TRUST_PROXY', 'PUBLIC_URL', 'LOTWARD_DEMO');
    names.push(
      'LOTWARD_ADMIN_EMAIL',
      'LOTWARD_ADMIN_PASSWORD',
      'CORS_ORIGINS',
      'METRICS_TOKEN',
      'WEB_CONCURRENCY',
      'STOP_DELAY_SECONDS',
    );
    names.push('SMTP_URL', 'MAIL_FROM', 'WEBHOOK_HEADER_PREFIX', 'WEBHOOK_TIMEOUT_MS');
    names.push(
      'WEBHOOK_RETRY_DELAYS_S',
      'WEBHOOK_DISABLE_AFTER',
      'WEBHOOK_ALLOWED_NETWORKS',
      'WEBHOOK_NAME_SERVERS',
      'READING_RETENTION_DAYS',
    );
    for (const blank of ['', '  ']) {
      expect(read(Object.fromEntries(names.map((name) => [name, blank])))).toEqual(read({}));
    }
  });

  it('the configuration is frozen', () => {
    expect(Object.isFrozen(read({}))).toBe(true);
  });
});

describe('a valid value is accepted', () => {
  it.each<[Record<string, string>, Partial<Config>]>([
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0', onLoopback: false, stopDelaySeconds: 5 }],
    [{ TRUST_PROXY: '127.0.0.1' }, { onLoopback: false, stopDelaySeconds: 5 }],
    [{ STOP_DELAY_SECONDS: '30' }, { stopDelaySeconds: 30 }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: ' 65535 ' }, { port: 65_535 }],
    [external, { databaseUrl: external.DATABASE_URL, secretKeys: [SECRET], adminEmail: null }],
    [{ ...external, DATABASE_URL: 'postgresql://h/d' }, { databaseUrl: 'postgresql://h/d' }],
    [{ ...external, DATABASE_URL: SEVERAL_HOSTS }, { databaseUrl: SEVERAL_HOSTS }],
    [{ ...external, DATABASE_DIRECT_URL: 'postgres://h/d' }, { directUrl: 'postgres://h/d' }],
    [
      { ...external, DATABASE_READ_URL: 'postgres://h1,h2/d' },
      { replica: { url: 'postgres://h1,h2/d', lagMaxMs: 10_000 } },
    ],
    [
      { ...external, DATABASE_READ_URL: 'postgres://h/d', DATABASE_READ_LAG_SECONDS: '3' },
      { replica: { url: 'postgres://h/d', lagMaxMs: 3_000 } },
    ],
    [
      // An older key only opens: a weak one can be replaced.
      { LOTWARD_SECRET_KEY: `${SECRET} new, change me` },
      { secretKeys: [`${SECRET} new`, 'change me'] },
    ],
    [{ REDIS_URL: 'redis://127.0.0.1:6379/1' }, { redisUrl: 'redis://127.0.0.1:6379/1' }],
    [{ REDIS_URL: 'rediss://user:word@r.example' }, { redisUrl: 'rediss://user:word@r.example' }],
    [
      { TLS_CERT_FILE: 'server.crt', TLS_KEY_FILE: './server.key' },
      { tls: { cert: 'the certificate', key: 'the key' } },
    ],
    [{ TRUST_PROXY: '10.0.0.0/8, ::1,192.0.2.7' }, { trustedProxies: ['10.0.0.0/8', '::1', '192.0.2.7'] }],
    [{ PUBLIC_URL: 'https://lotward.example/' }, { publicUrl: 'https://lotward.example/' }],
    [{ LOTWARD_DEMO: '1' }, { demo: true }],
    [{ LOTWARD_DEMO: '0' }, { demo: false }],
    [
      { LOTWARD_ADMIN_EMAIL: 'ops@lotward.example' },
      { adminEmail: 'ops@lotward.example', firstAdministrator: null },
    ],
    [{ LOTWARD_ADMIN_PASSWORD: 'p w' }, { adminPassword: 'p w', firstAdministrator: null }],
    [
      { LOTWARD_ADMIN_EMAIL: 'ops@lotward.example', LOTWARD_ADMIN_PASSWORD: 'p w' },
      { firstAdministrator: { email: 'ops@lotward.example', password: 'p w' } },
    ],
    [
      { CORS_ORIGINS: 'https://app.example, http://localhost:5173' },
      { corsOrigins: ['https://app.example', 'http://localhost:5173'] },
    ],
    [{ SMTP_URL: 'smtp://user:word@mail.example:587' }, { smtpUrl: 'smtp://user:word@mail.example:587' }],
    [{ SMTP_URL: 'smtps://mail.example' }, { smtpUrl: 'smtps://mail.example' }],
    [{ MAIL_FROM: 'stock@acme.example' }, { mailFrom: { name: '', address: 'stock@acme.example' } }],
    [{ MAIL_FROM: '<stock@acme.example>' }, { mailFrom: { name: '', address: 'stock@acme.example' } }],
    [
      { MAIL_FROM: 'Acme, Inc. <s@acme.example>' },
      { mailFrom: { name: 'Acme, Inc.', address: 's@acme.example' } },
    ],
    [
      { MAIL_FROM: '"Acme, Inc." <s@acme.example>' },
      { mailFrom: { name: 'Acme, Inc.', address: 's@acme.example' } },
    ],
    [{ METRICS_TOKEN: 'token' }, { metricsToken: 'token' }],
    [{ WEB_CONCURRENCY: '64' }, { apiProcesses: 64 }],
    [{ READING_RETENTION_DAYS: '30' }, { readingRetentionDays: 30 }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ LOTWARD_DATA_DIR: '/var/lib/lotward' }, { dataDir: '/var/lib/lotward' }],
  ])('%j', (env, expected) => {
    expect(read(env)).toMatchObject(expected);
  });

  it('a relative data folder is resolved from the working directory', () => {
    expect(read({ LOTWARD_DATA_DIR: 'data' }).dataDir).toBe(join(folder, 'data'));
  });
});

describe('an invalid value is refused with one line that names the setting', () => {
  it.each<[Record<string, string>, RegExp]>([
    [{ PORT: 'eighty' }, /^PORT must be a whole number from 0 to 65535, not "eighty"\.$/],
    [{ PORT: '65536' }, /^PORT must be/],
    [{ PORT: '-1' }, /^PORT must be/],
    [{ PORT: '80.5' }, /^PORT must be/],
    [{ PORT: '0x50' }, /^PORT must be/],
    [{ PORT: '1e3' }, /^PORT must be/],
    [{ ...external, DATABASE_URL: 'mysql://h/d' }, /^DATABASE_URL must .*postgres:\/\/ or postgresql:\/\//],
    [{ ...external, DATABASE_URL: 'db.example' }, /^DATABASE_URL must/],
    [{ ...external, DATABASE_READ_URL: 'mysql://h/d' }, /^DATABASE_READ_URL must .*postgres:\/\//],
    [{ ...external, DATABASE_DIRECT_URL: 'h' }, /^DATABASE_DIRECT_URL must/],
    [{ DATABASE_READ_URL: 'postgres://h/d' }, /^DATABASE_READ_URL is another address .* DATABASE_URL/],
    [{ ...external, DATABASE_READ_LAG_SECONDS: '0' }, /^DATABASE_READ_LAG_SECONDS must be/],
    [{ DATABASE_URL: external.DATABASE_URL }, /^LOTWARD_SECRET_KEY is required with DATABASE_URL/],
    [{ LOTWARD_SECRET_KEY: 'too short' }, /^LOTWARD_SECRET_KEY must have at least 16 characters/],
    [{ LOTWARD_SECRET_KEY: 'x'.repeat(64) }, /^LOTWARD_SECRET_KEY can be guessed/],
    [{ LOTWARD_SECRET_KEY: '0123456789abcdef0123456789abcdef' }, /^LOTWARD_SECRET_KEY can be guessed/],
    [{ LOTWARD_SECRET_KEY: 'swordfishswordfishswordfish' }, /^LOTWARD_SECRET_KEY can be guessed/],
    [{ LOTWARD_SECRET_KEY: 'change-me-change-me-change-me-please' }, /^LOTWARD_SECRET_KEY is a placeholder/],
    [{ LOTWARD_SECRET_KEY: 'your-lotward-secret-key-example' }, /^LOTWARD_SECRET_KEY is a placeholder/],
    [{ REDIS_URL: '127.0.0.1:6379' }, /^REDIS_URL must .*redis:\/\/ or rediss:\/\//],
    [{ REDIS_URL: 'http://r.example' }, /^REDIS_URL must/],
    [{ TLS_CERT_FILE: 'server.crt' }, /^TLS_CERT_FILE and TLS_KEY_FILE must be given together\.$/],
    [{ TLS_KEY_FILE: 'server.key' }, /^TLS_CERT_FILE and TLS_KEY_FILE must be given together\.$/],
    [
      { TLS_CERT_FILE: 'gone.crt', TLS_KEY_FILE: 'server.key' },
      /^TLS_CERT_FILE: the file gone\.crt cannot be read/,
    ],
    [
      { TLS_CERT_FILE: 'server.crt', TLS_KEY_FILE: 'gone.key' },
      /^TLS_KEY_FILE: the file gone\.key cannot be read/,
    ],
    [{ TRUST_PROXY: 'true' }, /^TRUST_PROXY must list addresses or CIDR blocks, not "true"\.$/],
    [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY must/],
    [{ TRUST_PROXY: '10.0.0.0/' }, /^TRUST_PROXY must/],
    [{ TRUST_PROXY: '10.0.0.1,proxy.example' }, /^TRUST_PROXY must .*"proxy\.example"/],
    [{ TRUST_PROXY: '::1/129' }, /^TRUST_PROXY must/],
    [{ TRUST_PROXY: '0.0.0.0/0' }, /^TRUST_PROXY must/],
    [{ TRUST_PROXY: '10.0.0.0/8/8' }, /^TRUST_PROXY must/],
    [{ PUBLIC_URL: 'lotward.example' }, /^PUBLIC_URL must .*http:\/\/ or https:\/\//],
    [{ LOTWARD_DEMO: 'yes' }, /^LOTWARD_DEMO must be 0 or 1, not "yes"\.$/],
    [{ LOTWARD_ADMIN_EMAIL: 'ops' }, /^LOTWARD_ADMIN_EMAIL is not an e-mail address: "ops"\.$/],
    [{ SMTP_URL: 'mail.example:587' }, /^SMTP_URL must .*smtp:\/\/ or smtps:\/\//],
    [{ SMTP_URL: 'http://mail.example' }, /^SMTP_URL must/],
    [{ SMTP_URL: 'smtp:///' }, /^SMTP_URL must name a host/],
    [{ MAIL_FROM: 'stock' }, /^MAIL_FROM must be an address or Name <address>, not "stock"\.$/],
    [{ MAIL_FROM: 'Stock <stock>' }, /^MAIL_FROM must/],
    [{ MAIL_FROM: 'Stock <a@b.example> x' }, /^MAIL_FROM must/],
    [{ MAIL_FROM: 'a@b.example, c@d.example' }, /^MAIL_FROM must/],
    [{ MAIL_FROM: 'Stock\r\nBcc: x <a@b.example>' }, /^MAIL_FROM must/],
    [{ CORS_ORIGINS: '*' }, /^CORS_ORIGINS must list origins .*"\*"/],
    [{ CORS_ORIGINS: 'ftp://app.example' }, /^CORS_ORIGINS must/],
    [{ CORS_ORIGINS: 'https://app.example/' }, /^CORS_ORIGINS must/],
    [{ CORS_ORIGINS: 'https://app.example,null' }, /^CORS_ORIGINS must/],
    [{ WEB_CONCURRENCY: '0' }, /^WEB_CONCURRENCY must be a whole number from 1 to 64/],
    [{ WEB_CONCURRENCY: '65' }, /^WEB_CONCURRENCY must/],
    [{ STOP_DELAY_SECONDS: '301' }, /^STOP_DELAY_SECONDS must/],
    [{ READING_RETENTION_DAYS: '0' }, /^READING_RETENTION_DAYS must be a whole number from 1 to 36500/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of fatal, error, warn/],
  ])('%j', (env, expected) => {
    const line = complaint(env);
    expect(line).toMatch(expected);
    expect(line).not.toContain('\n');
  });

  it('the line does not contain the secret', () => {
    const secrets = [
      complaint({ LOTWARD_SECRET_KEY: 'tell-nobody' }),
      complaint({ ...external, DATABASE_URL: 'mysql://user:tell-nobody@h/d' }),
      complaint({ REDIS_URL: 'http://:tell-nobody@r.example' }),
      complaint({ SMTP_URL: 'http://user:tell-nobody@mail.example' }),
      complaint({ SMTP_URL: 'smtp://user:tell-nobody@' }),
    ];
    for (const line of secrets) expect(line).not.toContain('tell-nobody');
  });
});
