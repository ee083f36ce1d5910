import type { AddressInfo } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import { SMTPServer } from 'smtp-server';
import { sendDueMails } from '../../src/mailing/index.js';
import { createUser, hashNewPassword, OURSELVES, type UserRole } from '../../src/people/index.js';
import { transact } from '../../src/platform/database/index.js';
import { smtpMailer } from '../../src/platform/mail/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { callApi, type TestDatabase, type TestOrganization } from '../harness/index.js';

export const PASSWORD = 'seven lorries in the rain';

export interface SignedInData {
  status: 'complete' | 'second_factor' | 'enrolment';
  csrfToken: string;
  user?: { userId: string; email: string; role: string; scopes: string[] };
  organization?: { code: string; name: string };
  recoveryCodes: string[];
  secondFactor?: boolean;
  dailyDigest?: boolean;
}

let people = 0;

/** Somebody with a password, as an operator makes them. */
export async function newPerson(
  db: Pick<TestDatabase, 'database'>,
  { organization }: Pick<TestOrganization, 'organization'>,
  role: UserRole = 'viewer',
  password: string | null = PASSWORD,
) {
  const email = `person${++people}@${organization.code}.example`;
  const passwordHash =
    password === null
      ? undefined
      : await hashNewPassword(password, { email, organization: organization.name }, OURSELVES);
  const principal = systemPrincipal(organization.orgId, 'operator@test.example');
  const user = await transact(db.database, principal, (tx) =>
    createUser(tx, { email, role, ...(passwordHash === undefined ? {} : { passwordHash }) }),
  );
  return { ...user, password: password ?? '' };
}

/** The code an app shows at that moment. */
export const codeAt = (secret: string, at: Date): string =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: 'SHA1' }).generate({
    timestamp: at.getTime(),
  });

/** A browser: keeps cookies, and sends the token of its session with everything that changes something. */
export function openBrowser(url: string, cookies = new Map<string, string>()) {
  let csrf: string | undefined;
  const setCookies: string[] = [];
  const call = async <D = SignedInData>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const answer = await callApi<D>(url, method, path, body, undefined, {
      ...(cookies.size > 0
        ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
        : {}),
      ...(csrf === undefined || method === 'GET' ? {} : { 'x-csrf-token': csrf }),
      ...headers,
    });
    setCookies.length = 0;
    for (const line of answer.headers.getSetCookie()) {
      setCookies.push(line);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const received = (answer.data as { csrfToken?: string } | null)?.csrfToken;
    if (received !== undefined) csrf = received;
    return answer;
  };
  return {
    call,
    cookies,
    /** As the last response set them. */
    setCookies,
    get csrf() {
      return csrf;
    },
    signIn: (email: string, password: string, code?: string) =>
      call('POST', '/v2/session', { email, password, ...(code === undefined ? {} : { code }) }),
  };
}
export type Browser = ReturnType<typeof openBrowser>;

/** Signs in and, where the role demands it, sets up a second factor. Answers its secret. */
export async function enter(
  browser: Browser,
  person: { email: string; password: string },
  now: () => Date,
): Promise<{ secret: string | null; recoveryCodes: string[] }> {
  const first = await browser.signIn(person.email, person.password);
  if (first.status !== 200) throw new Error(first.text);
  if (first.data.status === 'complete') return { secret: null, recoveryCodes: [] };
  const { data } = await browser.call<{ secret: string }>('POST', '/v2/session/totp', {});
  const done = await browser.call('POST', '/v2/session/totp/confirm', { code: codeAt(data.secret, now()) });
  if (done.status !== 200) throw new Error(done.text);
  return { secret: data.secret, recoveryCodes: done.data.recoveryCodes };
}

/** A real mail server, and the worker's own way of sending to it. */
export async function openMailbox(db: TestDatabase) {
  const received: { to: string[]; subject: string; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const split = raw.indexOf('\r\n\r\n');
        const body = raw.slice(split + 4);
        const head = raw.slice(0, split).replaceAll(/\r\n[ \t]+/g, ' ');
        const quoted = /^content-transfer-encoding: *quoted-printable/im.test(head);
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          subject: /^subject: *(.*)$/im.exec(head)?.[1] ?? '',
          text: (quoted ? unquoted(body) : body).replaceAll('\r\n', '\n').trim(),
        });
        done();
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  const from = { name: 'Lotward', address: 'no-reply@lotward.example' };
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from });
  return {
    /** Sends due mail and returns the messages that arrived since the last call. */
    async fetch() {
      await sendDueMails(db, mailer);
      return received.splice(0);
    },
    async close() {
      await mailer.close();
      await new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}

const unquoted = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** The token behind `#` in a mailed link. */
export const tokenIn = (text: string): string => /#(lw[irf]_\S+)/.exec(text)?.[1] ?? '';
