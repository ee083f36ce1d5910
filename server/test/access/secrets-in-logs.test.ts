import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { smtpMailer } from '../../src/platform/mail/index.js';
import {
  newOrganization,
  openReceiver,
  openTestDatabase,
  type Receiver,
  startApi,
  startWorker,
  stockCatalogue,
  TEST_SECRET_KEY,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../harness/index.js';
import {
  authorizeQuery,
  basic,
  codeForm,
  decide,
  newPkce,
  REDIRECT_URI,
  send,
  sendAs,
  type TestClient,
} from './oauth-world.js';
import { type Browser, codeAt, enter, newPerson, openBrowser, PASSWORD, tokenIn } from './people.js';
import { toLoopback } from './pushes.js';

const METRICS_TOKEN = 'metrics-token-for-tests-only';
const SMTP_PASSWORD = 'smtp-password-for-tests-only';
const NEW_PASSWORD = 'nine kites over the harbour';
const WRONG_PASSWORD = 'eleven kites over the harbour';

let db: TestDatabase;
let api: TestApi;
let org: TestOrganization;
let receiver: Receiver;
let admin: Browser;
let adminEmail: string;
const lines: string[] = [];
const refusals: string[] = [];
const logger = pino({ level: 'trace', base: null }, { write: (line) => lines.push(line) });

/** Every secret used, by its kind. */
const secrets = new Map<string, string>([
  ['metrics token', METRICS_TOKEN],
  ['password of the mail server', SMTP_PASSWORD],
  ['secret key', TEST_SECRET_KEY],
  ['password', PASSWORD],
  ['new password', NEW_PASSWORD],
  ['wrong password', WRONG_PASSWORD],
]);
let unnamed = 0;
function secret(name: string, value: string | undefined): string {
  if (!value || value.length < 6) throw new Error(`${name} is no secret: ${value}`);
  secrets.set(`${name} (${++unnamed})`, value);
  return value;
}

/** Keeps the responses to failed requests, with their headers. */
function keepRefusals(): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
    const response = await real(...call);
    if (response.status >= 400)
      refusals.push(`${JSON.stringify([...response.headers])} ${await response.clone().text()}`);
    return response;
  });
}

beforeAll(async () => {
  keepRefusals();
  db = await openTestDatabase();
  receiver = await openReceiver();
  api = await startApi(db.database, { logger, metricsToken: METRICS_TOKEN, webhooks: toLoopback });
  org = await newOrganization(db);
  secret('first key', org.key);
  await stockCatalogue(api, org.key);
  const person = await newPerson(db, org, 'admin');
  adminEmail = person.email;
  admin = openBrowser(api.url);
  const { secret: totp, recoveryCodes } = await enter(admin, person, () => db.clock.now());
  secret('second factor', totp ?? undefined);
  for (const code of recoveryCodes) secret('recovery code', code);
  noteSession();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await api.close();
  await receiver.close();
  await db.close();
});

function noteSession(from = admin): { headers: { cookie: string; 'x-csrf-token': string } } {
  const token = secret('session', from.cookies.get('lotward_session'));
  const csrf = secret('token of the page', from.csrf);
  const device = from.cookies.get('lotward_device');
  if (device) secret('device', device);
  return { headers: { cookie: `lotward_session=${token}`, 'x-csrf-token': csrf } };
}

/** Puts a secret where it does not belong, in every way a caller might. */
async function misuse(value: string): Promise<void> {
  const encoded = encodeURIComponent(value);
  // In place of another value, a secret can be recognized only by its form.
  const inPlace = [
    `/v2/products/${encoded}`,
    `/v2/products?cursor=${encoded}`,
    `/nowhere/${encoded}`,
    `/oauth/authorize/${encoded}`,
    `/oauth/interaction/${encoded}`,
  ];
  for (const path of [
    ...(/^(lw|eyJ|whsec)/.test(value) ? inPlace : []),
    `/v2/products?access_token=${encoded}`,
    `/v2/products?name=x&api_key=${encoded}`,
    `/v2/nowhere?token=${encoded}`,
    `/oauth/authorize?code=${encoded}&client_id=x`,
    `/sign-in?return=%2Fx&password=${encoded}`,
    `/metrics?token=${encoded}`,
    `/docs/api?token=${encoded}`,
    `/?token=${encoded}`,
  ]) {
    await fetch(api.url + path, { redirect: 'manual' });
    await fetch(api.url + path, { redirect: 'manual', headers: { authorization: `Bearer ${value}` } });
  }
  for (const authorization of [`Bearer ${value}x`, `Basic ${value}`, value, basic(value, value)])
    await api.call('GET', '/v2/whoami', undefined, undefined, { authorization });
  const json = { 'content-type': 'application/json' };
  for (const body of [`{"token": "${value}"`, `{"secret": "${value}"}`, `"${value}"`, value])
    for (const path of ['/v2/session', '/v2/invitations/accept', '/v2/products/X', '/oauth/token'])
      await api.call(path.startsWith('/v2/p') ? 'PUT' : 'POST', path, body, org.key, json);
  await api.call('POST', '/v2/session', value, undefined, { 'content-type': 'text/plain' });
  await send(api, '/oauth/token', { grant_type: 'client_credentials', client_secret: value });
  await send(api, '/oauth/revoke', { token: value });
  await send(api, '/sign-in', { email: 'x@y.example', password: value });
}

it('keys are created, rotated, used and revoked', async () => {
  const wanted = { name: 'erp', scopes: ['products:read', 'webhooks:write', 'orders:read'] };
  const once = { 'idempotency-key': 'key-1' };
  const made = await admin.call<{ keyId: string; apiKey: string; secret: string }>(
    'POST',
    '/v2/settings/keys',
    wanted,
    once,
  );
  const first = secret('key', made.data.apiKey);
  secret('secret of the key', made.data.secret);
  await admin.call('POST', '/v2/settings/keys', wanted, once);
  await api.call('GET', '/v2/products', undefined, first);
  const path = `/v2/settings/keys/${made.data.keyId}`;
  const rotated = await admin.call<{ apiKey: string }>(
    'POST',
    `${path}/rotate`,
    { overlapSeconds: 60 },
    once,
  );
  const again = await admin.call<{ apiKey: string }>('POST', `${path}/rotate`, { overlapSeconds: 60 });
  expect([rotated.status, again.status]).toEqual([400, 200]);
  const second = secret('rotated key', again.data.apiKey);
  for (const key of [first, second]) await api.call('GET', '/v2/stock/movements', undefined, key);
  await admin.call('POST', `${path}/revoke`, {});
  for (const key of [first, second]) await api.call('GET', '/v2/whoami', undefined, key);
  await misuse(second);
});

it('OAuth clients, codes and tokens are used, replayed and revoked', async () => {
  const facts = { name: 'app', scopes: ['products:read'], redirectUris: [REDIRECT_URI] };
  const made = await admin.call<TestClient>('POST', '/v2/settings/clients', facts, {
    'idempotency-key': 'client-1',
  });
  const client = made.data;
  secret('client secret', client.clientSecret);
  const rotation = `/v2/settings/clients/${client.clientId}/rotate-secret`;
  const rotated = await admin.call<TestClient>('POST', rotation, { overlapSeconds: 60 });
  secret('rotated client secret', rotated.data.clientSecret);
  const own = await sendAs(api, rotated.data, '/oauth/token', { grant_type: 'client_credentials' });
  const access = secret('access token', own.json.access_token);
  await api.call('GET', '/v2/products', undefined, access);
  await api.call('GET', '/v2/orders', undefined, access);
  await sendAs(api, client, '/oauth/token', { grant_type: 'client_credentials', scope: 'orders:write' });
  await sendAs(api, { ...client, clientSecret: access }, '/oauth/token', {
    grant_type: 'client_credentials',
  });

  const session = noteSession();
  const pkce = newPkce();
  secret('verifier', pkce.verifier);
  const query = authorizeQuery(client, pkce, { scope: 'products:read' });
  const back = await decide(api, session, query);
  const code = secret('code', back.searchParams.get('code') ?? undefined);
  const given = await sendAs(api, client, '/oauth/token', codeForm(code, pkce));
  const refresh = secret('refresh token', given.json.refresh_token);
  secret('access token on behalf', given.json.access_token);
  const renewal = { grant_type: 'refresh_token', refresh_token: refresh };
  const renewed = await sendAs(api, client, '/oauth/token', renewal);
  secret('renewed refresh token', renewed.json.refresh_token);
  secret('renewed access token', renewed.json.access_token);
  await api.call('GET', '/v2/products', undefined, renewed.json.access_token);
  for (const token of [access, renewed.json.refresh_token as string]) {
    await sendAs(api, client, '/oauth/introspect', { token });
    await misuse(token);
    await sendAs(api, client, '/oauth/revoke', { token });
    await sendAs(api, client, '/oauth/introspect', { token });
  }
  await misuse(code);
  await misuse(client.clientSecret);
  await sendAs(api, client, '/oauth/token', codeForm(code, pkce));
  await sendAs(api, client, '/oauth/token', renewal);
  await admin.call('POST', `/v2/settings/clients/${client.clientId}/revoke`, {});
});

it('people sign in, use second factors, invitations and resets, with mail', async () => {
  const worker = await startWorker(db, { logger });
  const tokenMailed = async (to: string, purpose: 'lwi' | 'lwr') => {
    let token = '';
    await expect
      .poll(
        async () => {
          const mails = (await worker.mails()).filter((mail) => mail.includes(to));
          const found = mails.map((mail) => tokenIn(mail.replaceAll(/=\r?\n/g, '')));
          token = found.filter((each) => each.startsWith(purpose)).at(-1) ?? '';
          return token;
        },
        { timeout: 10_000 },
      )
      .not.toBe('');
    return token;
  };
  const email = 'invited@test.example';
  await admin.call('POST', '/v2/settings/users', { email, role: 'sales' }, { 'idempotency-key': 'user-1' });
  const invitation = secret('invitation', await tokenMailed(email, 'lwi'));
  await misuse(invitation);
  const person = openBrowser(api.url);
  await person.call('POST', '/v2/invitations/read', { token: invitation });
  await person.call('POST', '/v2/invitations/accept', { token: invitation, password: 'short' });
  await person.call('POST', '/v2/invitations/accept', { token: invitation, password: PASSWORD });
  noteSession(person);
  await person.call('POST', '/v2/invitations/accept', { token: invitation, password: PASSWORD });
  const setUp = await person.call<{ secret: string }>('POST', '/v2/session/totp', { password: PASSWORD });
  const totp = secret('second factor', setUp.data.secret);
  await person.call('POST', '/v2/session/totp/confirm', { code: '000000' });
  const code = codeAt(totp, db.clock.now());
  const done = await person.call('POST', '/v2/session/totp/confirm', { code });
  expect(done.status, done.text).toBe(200);
  for (const each of done.data.recoveryCodes) secret('recovery code', each);
  noteSession(person);
  await person.call('DELETE', '/v2/session');
  await person.signIn(email, WRONG_PASSWORD);
  await person.signIn(email, PASSWORD, code);
  await person.signIn(email, PASSWORD);
  const [recoveryCode = ''] = done.data.recoveryCodes;
  await person.call('POST', '/v2/session/second-factor', { recoveryCode: `${recoveryCode}X` });
  const entered = await person.call('POST', '/v2/session/second-factor', { recoveryCode });
  expect(entered.status, entered.text).toBe(200);
  noteSession(person);
  await person.call('POST', '/v2/session/second-factor', { recoveryCode });
  await person.call('POST', '/v2/session/password', {
    currentPassword: WRONG_PASSWORD,
    newPassword: NEW_PASSWORD,
  });
  await person.call('POST', '/v2/session/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
  await person.call('POST', '/v2/password-resets', { email });
  const reset = secret('reset', await tokenMailed(email, 'lwr'));
  await misuse(reset);
  await person.call('POST', '/v2/password-resets/complete', { token: reset, password: NEW_PASSWORD });
  await misuse(secrets.get('password') ?? '');
  await misuse(noteSession(person).headers.cookie.slice('lotward_session='.length));
  await worker.stop();
});

it('webhooks, metrics and a refusing mail server are used', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      done(new Error(password === SMTP_PASSWORD ? 'closed' : 'wrong')),
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  const from = { name: 'Lotward', address: 'no-reply@lotward.example' };
  const mailer = smtpMailer({ url: `smtp://lotward:${SMTP_PASSWORD}@127.0.0.1:${port}`, from });
  const body = { callbackUrl: receiver.url('/hook'), eventTypes: ['order.status_changed'] };
  const made = await api.call<{ webhookId: string; secret: string }>('POST', '/v2/webhooks', body, org.key, {
    'idempotency-key': 'hook-1',
  });
  secret('webhook secret', made.data.secret);
  const chosen = secret('chosen webhook secret', 'a secret chosen by a partner');
  const rotation = `/v2/webhooks/${made.data.webhookId}/rotate-secret`;
  await api.call('POST', rotation, { secret: chosen, overlapSeconds: 60 }, org.key);
  await api.call('POST', rotation, { secret: 'x', overlapSeconds: chosen }, org.key);
  receiver.answer = () => 500;
  await api.call('POST', `/v2/webhooks/${made.data.webhookId}/test`, {}, org.key);
  await admin.call('POST', '/v2/settings/users', { email: 'unreached@test.example', role: 'viewer' });
  const worker = await startWorker(db, { logger, mailer });
  await expect
    .poll(() => lines.filter((line) => line.includes('mail')).length, { timeout: 10_000 })
    .toBeGreaterThan(0);
  await worker.stop();
  await new Promise<void>((closed) => server.close(() => closed()));
  for (const token of [METRICS_TOKEN, `${METRICS_TOKEN}x`, org.key])
    await api.call('GET', '/metrics', undefined, token);
});

it('the database fails during each of these', async () => {
  const broken = ['sessions', 'users', 'oauth_clients', 'api_keys', 'oauth_artifacts', 'user_tokens'];
  for (const table of broken) await db.sql(`alter table ${table} rename to ${table}_away`);
  const before = lines.length;
  await openBrowser(api.url).signIn(adminEmail, PASSWORD);
  await admin.call('GET', '/v2/whoami');
  const { apiKey } = { apiKey: secrets.get('first key (1)') ?? org.key };
  db.clock.advance(1_000);
  await api.call('GET', '/v2/whoami', undefined, `${apiKey}`);
  for (const [name, value] of secrets) {
    if (name.startsWith('session')) continue;
    await api.call('GET', '/v2/whoami', undefined, value);
    await api.call('POST', '/v2/invitations/accept', { token: value, password: PASSWORD });
    await send(
      api,
      '/oauth/token',
      { grant_type: 'client_credentials' },
      { authorization: basic('lwc_x', value) },
    );
  }
  expect(lines.slice(before).some((line) => line.includes('request failed'))).toBe(true);
  for (const table of broken) await db.sql(`alter table ${table}_away rename to ${table}`);
});

it('none of the secrets is in the log, in an answer to a failing request, or anywhere in the database', async () => {
  expect(secrets.size).toBeGreaterThan(60);
  expect(lines.length).toBeGreaterThan(200);
  expect(refusals.length).toBeGreaterThan(200);
  const found = (where: string, text: string) =>
    [...secrets].filter(([, value]) => text.includes(value)).map(([name]) => `${name} in ${where}: ${text}`);
  expect(lines.flatMap((line) => found('the log', line))).toEqual([]);
  expect(refusals.flatMap((text) => found('an answer', text))).toEqual([]);
  expect(await inDatabase()).toEqual([]);
});

/** The tables that contain a secret in clear, as text or as bytes. */
async function inDatabase(): Promise<string[]> {
  const tables = await db.sql<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  );
  const names = [...secrets.keys()];
  const values = [...secrets.values()];
  const forms = [...values, ...values.map((value) => Buffer.from(value).toString('hex'))];
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.sql<{ at: number; row: string }>(
      `select f.at::integer as at, left(t::text, 300) as row from ${name} t, unnest($1::text[]) with ordinality as f(form, at)
       where strpos(t::text, f.form) > 0`,
      [forms],
    );
    found.push(...rows.map(({ at, row }) => `${names[(at - 1) % names.length]} in ${name}: ${row}`));
  }
  return found;
}
