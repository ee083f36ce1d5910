import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  enter,
  newPerson,
  openBrowser,
  openMailbox,
  PASSWORD,
  tokenIn,
} from '../../../test/access/people.js';
import {
  countingLimiter,
  newOrganization,
  openTestDatabase,
  sized,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../../../test/harness/index.js';
import { updateOrganization } from '../../organizations/index.js';

const WRONG = 'not the password of anybody';
const MINUTE = 60_000;

let db: TestDatabase;
let api: TestApi;
let org: TestOrganization;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database);
  org = await newOrganization(db);
});
afterAll(async () => {
  await api.close();
  await db.close();
});

const attempt = (email: string, password = WRONG, headers: Record<string, string> = {}) =>
  api.call('POST', '/v2/session', { email, password }, undefined, headers);
const retryAfter = (answer: { headers: Headers }) => Number(answer.headers.get('retry-after'));

/** Without what differs between any two answers. */
const said = ({ text, status, headers }: Awaited<ReturnType<typeof attempt>>) => ({
  status,
  body: text.replace(/"requestId":"[^"]*"/, ''),
  cookies: headers.getSetCookie(),
  names: [...headers.keys()].sort(),
});

describe('a refused sign-in reveals nothing', () => {
  it('about who exists, is invited, was removed, has no password or is of a suspended organization', async () => {
    const existing = await newPerson(db, org);
    const passwordless = await newPerson(db, org, 'viewer', null);
    const invited = await newPerson(db, org);
    await db.sql(`update users set status = 'invited' where user_id = $1`, [invited.userId]);
    const removed = await newPerson(db, org);
    await db.sql(`update users set status = 'removed' where user_id = $1`, [removed.userId]);
    const elsewhere = await newOrganization(db);
    const suspended = await newPerson(db, elsewhere);
    await updateOrganization(db.database, 'operator@test.example', elsewhere.organization.orgId, {
      status: 'suspended',
    });
    const answers = await Promise.all([
      attempt('nobody@nowhere.example'),
      attempt(existing.email),
      attempt(passwordless.email, ''),
      attempt(invited.email, PASSWORD),
      attempt(removed.email, PASSWORD),
      attempt(suspended.email, PASSWORD),
    ]);
    expect(answers[0]).toMatchObject({ status: 401, code: 1002, reason: 'sign_in_refused' });
    expect(answers[0]?.headers.getSetCookie()).toEqual([]);
    for (const answer of answers) expect(said(answer)).toEqual(said(answers[0] as never));
    expect(await db.sql('select 1 from sessions')).toEqual([]);
  });

  // The work itself is compared by sign-in-work.test.ts; times only on a quiet machine.
  const isFullTier = sized(0, 1) === 1;
  it.runIf(isFullTier)(
    'from the time it takes: the medians differ by less than 10%',
    async () => {
      const { email } = await newPerson(db, org);
      const rounds = 500;
      const measure = async () => {
        const times = { known: [] as number[], unknown: [] as number[] };
        for (let i = 0; i < rounds; i++) {
          // Past any wait: both are compared, each time.
          db.clock.advance(MINUTE + 1);
          const turns = [
            ['known', email],
            ['unknown', 'stranger@nowhere.example'],
          ] as const;
          const answers = [];
          for (const [kind, address] of i % 2 === 0 ? turns : [...turns].reverse()) {
            const begun = performance.now();
            answers.push(await attempt(address));
            times[kind].push(performance.now() - begun);
          }
          expect(said(answers[0] as never)).toEqual(said(answers[1] as never));
          expect(answers[0]?.status).toBe(401);
        }
        const [known, unknown] = [median(times.known), median(times.unknown)];
        console.log(
          `wrong passwords, ${rounds} each: ${known.toFixed(2)} ms who exists, ${unknown.toFixed(2)} ms who does not`,
        );
        return Math.abs(known / unknown - 1);
      };
      const difference = await measure();
      // A machine that was busy with something else is asked once more.
      expect(difference < 0.1 ? difference : await measure()).toBeLessThan(0.1);
    },
    180_000,
  );

  it('in its throttling, whether or not the account exists', async () => {
    const { email } = await newPerson(db, org);
    // Five are free; two waits follow.
    for (let i = 0; i < 7; i++) {
      const [known, unknown] = [await attempt(email), await attempt('ghost@nowhere.example')];
      expect(said(known)).toEqual(said(unknown));
      expect(retryAfter(known)).toBe(retryAfter(unknown));
      db.clock.advance(1_000);
    }
  });
});

describe('password guesses at one account', () => {
  it('are free five times, then wait 1, 2, 4 … 60 seconds, and are cleared after a quiet hour', async () => {
    const { email } = await newPerson(db, org);
    const waits: number[] = [];
    for (let i = 0; i < 14; i++) {
      expect((await attempt(email)).status, `guess ${i + 1}`).toBe(401);
      if (i < 5) continue;
      const delayed = await attempt(email);
      expect(delayed.status).toBe(429);
      waits.push(retryAfter(delayed));
      db.clock.advance(retryAfter(delayed) * 1000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    db.clock.advance(60 * MINUTE);
    for (let i = 0; i < 6; i++) expect((await attempt(email)).status).toBe(401);
  });

  it('are compared at most six times, however many are sent at once', async () => {
    const { email } = await newPerson(db, org);
    const answers = await Promise.all(Array.from({ length: 40 }, () => attempt(email)));
    const refused = answers.filter(({ status }) => status !== 401);
    expect(refused).toHaveLength(34);
    // On a slow machine some wait in vain for a place, or for the count of attempts, which the others are changing.
    const usual = [429, 'overloaded', 'record_locked'];
    for (const { status, reason } of refused) expect(usual).toContain(status === 500 ? reason : status);
  });

  it('during the wait are not compared and do not prolong it', async () => {
    const { email } = await newPerson(db, org);
    for (let i = 0; i < 8; i++) {
      await attempt(email);
      db.clock.advance(i >= 5 ? 1_000 * 2 ** (i - 5) : 0);
    }
    await attempt(email);
    for (let i = 0; i < 5; i++) {
      const delayed = await attempt(email, PASSWORD);
      expect(delayed).toMatchObject({ status: 429, code: 1005, reason: 'sign_in_delayed' });
      expect(retryAfter(delayed)).toBe(8 - i);
      db.clock.advance(1_000);
    }
    db.clock.advance(3_000);
    expect((await attempt(email, PASSWORD)).status).toBe(200);
  });

  it('are cleared by a sign-in', async () => {
    const { email } = await newPerson(db, org);
    for (let i = 0; i < 5; i++) await attempt(email);
    expect((await attempt(email, PASSWORD)).status).toBe(200);
    for (let i = 0; i < 6; i++) expect((await attempt(email)).status).toBe(401);
  });

  it('are counted across processes', async () => {
    const { email } = await newPerson(db, org);
    const other = await startApi(await db.another());
    for (let i = 0; i < 6; i++) await attempt(email);
    const there = await other.call('POST', '/v2/session', { email, password: PASSWORD });
    expect(there.status).toBe(429);
    await other.close();
  });
});

it('ten thousand attempts from many addresses lock nobody out', async () => {
  const behindProxy = await startApi(db.database, { trustedProxies: ['127.0.0.1'] });
  const mailbox = await openMailbox(db);
  const { email } = await newPerson(db, org);
  const secure = { 'x-forwarded-proto': 'https' };
  const home = openBrowser(behindProxy.url);
  expect((await home.call('POST', '/v2/session', { email, password: PASSWORD }, secure)).status).toBe(200);
  const storm = async (tries: number) => {
    for (let i = 0; i < tries; i += 10) {
      await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          behindProxy.call('POST', '/v2/session', { email, password: `${WRONG} ${i + n}` }, undefined, {
            ...secure,
            'x-forwarded-for': `198.51.${(i >> 8) & 255}.${(i + n) & 255}`,
          }),
        ),
      );
      db.clock.advance(1_000);
    }
  };
  await storm(sized(40, 10_000));

  home.cookies.delete('__Host-lotward_session');
  const known = await home.call('POST', '/v2/session', { email, password: PASSWORD }, secure);
  expect(known.status, 'from a known device, at once').toBe(200);

  const fresh = openBrowser(behindProxy.url);
  // One more guess: it is counted and begins a delay, or a delay is under way.
  await fresh.call('POST', '/v2/session', { email, password: WRONG }, secure);
  const first = await fresh.call('POST', '/v2/session', { email, password: PASSWORD }, secure);
  expect(first).toMatchObject({ status: 429, reason: 'sign_in_delayed' });
  expect(retryAfter(first)).toBeLessThanOrEqual(60);
  db.clock.advance(retryAfter(first) * 1000);
  const second = await fresh.call('POST', '/v2/session', { email, password: PASSWORD }, secure);
  expect(second.status, 'from a new one, within a minute').toBe(200);

  await storm(sized(20, 100));
  const anew = openBrowser(behindProxy.url);
  await mailbox.fetch();
  await anew.call('POST', '/v2/password-resets', { email }, secure);
  const [mail] = await mailbox.fetch();
  const body = { token: tokenIn(mail?.text ?? ''), password: 'another one, not guessed yet' };
  expect((await anew.call('POST', '/v2/password-resets/complete', body, secure)).data.status).toBe(
    'complete',
  );
  await storm(sized(20, 100));
  anew.cookies.delete('__Host-lotward_session');
  const back = await anew.call('POST', '/v2/session', { email, password: body.password }, secure);
  expect(back.status, 'through a mail, and from then on').toBe(200);
  await mailbox.close();
  await behindProxy.close();
}, 300_000);

it('a device counts only for the person who used it, and cannot be forged', async () => {
  const [ada, bob] = [await newPerson(db, org), await newPerson(db, org)];
  const browser = openBrowser(api.url);
  await enter(browser, ada, db.clock.now);
  const mark = browser.cookies.get('lotward_device') ?? '';
  for (let i = 0; i < 6; i++) await attempt(bob.email);
  for (const cookie of [`lotward_device=${mark}`, 'lotward_device=v1.x.y.z', `lotward_device=${mark}x`])
    expect((await attempt(bob.email, PASSWORD, { cookie })).status).toBe(429);
  for (let i = 0; i < 6; i++) await attempt(ada.email, WRONG, { cookie: `lotward_device=${mark}` });
  expect((await attempt(ada.email, PASSWORD, { cookie: `lotward_device=${mark}` })).status).toBe(429);
  expect((await attempt(ada.email, PASSWORD)).status, 'its guesses are its own').toBe(200);
});

it('one address may fail a hundred times a minute; then only people on a device they used before sign in', async () => {
  const limited = await startApi(db.database, { limiter: countingLimiter(db.clock) });
  const person = await newPerson(db, org);
  const device = openBrowser(limited.url);
  await enter(device, person, db.clock.now);
  const guess = (n: number) =>
    limited.call('POST', '/v2/session', { email: `guess${n}@nowhere.example`, password: WRONG });
  // Bad keys count for the same address, and no password is hashed for them.
  const byKey = sized(90, 0);
  const call = () => limited.call('GET', '/v2/whoami', undefined, 'nobody');
  for (const { status } of await Promise.all(Array.from({ length: byKey }, call))) expect(status).toBe(401);
  const answers = [];
  for (let i = byKey; i < 110; i += 5)
    answers.push(...(await Promise.all(Array.from({ length: 5 }, (_, n) => guess(i + n)))));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(100 - byKey);
  expect(answers.at(-1)).toMatchObject({ status: 429, reason: 'rate_limited' });
  const { email } = person;
  const cookie = `lotward_device=${device.cookies.get('lotward_device')}`;
  const again = (headers: Record<string, string>) =>
    limited.call('POST', '/v2/session', { email, password: PASSWORD }, undefined, headers);
  expect((await again({})).status).toBe(429);
  expect((await again({ cookie })).status).toBe(200);
  await limited.close();
});

describe('a request to sign in', () => {
  it.each([
    [{}, 'required'],
    [{ email: 'x', password: 'y' }, 'bad_format'],
    [{ email: 'a@b.example', password: 'y'.repeat(1_025) }, 'bad_length'],
    [{ email: 'a@b.example', password: 'y', code: '12345' }, 'bad_format'],
    [{ email: 'a@b.example', password: 'y', remember: true }, 'unknown_field'],
  ])('that is malformed is refused by its shape: %j', async (body, reason) => {
    expect(await api.call('POST', '/v2/session', body)).toMatchObject({ status: 400, reason });
  });

  it('of another site is refused', async () => {
    const { email } = await newPerson(db, org);
    for (const site of ['cross-site', 'same-site'])
      expect(await attempt(email, PASSWORD, { 'sec-fetch-site': site })).toMatchObject({
        status: 403,
        reason: 'cross_site_request',
      });
    expect((await attempt(email, PASSWORD, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('accepts the address in any case, and the password in any Unicode composition', async () => {
    const person = await newPerson(db, org, 'viewer', 'caf\u00e9 au lait, s\u2019il vous pla\u00eet');
    const decomposed = person.password.normalize('NFD');
    expect(decomposed).not.toBe(person.password);
    expect((await attempt(person.email.toUpperCase(), decomposed)).status).toBe(200);
  });

  it('replaces a weaker hash by one of the current strength, once', async () => {
    const { hash } = await import('@node-rs/argon2');
    const { email } = await newPerson(db, org);
    const weak = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await db.sql('update accounts set password_hash = $1 where email = $2', [weak, email]);
    const signedIn = async () => {
      expect((await attempt(email, PASSWORD)).status).toBe(200);
      const [row] = await db.sql<{ hash: string }>(
        'select password_hash as hash from accounts where email = $1',
        [email],
      );
      return row?.hash;
    };
    const renewed = await signedIn();
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await signedIn()).toBe(renewed);
  });
});

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
