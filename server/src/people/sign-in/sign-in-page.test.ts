import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt, newPerson, PASSWORD } from '../../../test/access/people.js';
import {
  newOrganization,
  openTestDatabase,
  startApi,
  type TestApi,
  type TestDatabase,
  type TestOrganization,
} from '../../../test/harness/index.js';

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

/** A browser without scripts: it follows links, keeps cookies and sends forms as they stand in the page. */
function openPages(url = api.url, more: Record<string, string> = {}) {
  const cookies = new Map<string, string>();
  const go = async (path: string, form?: URLSearchParams, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      redirect: 'manual',
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...more,
        ...headers,
      },
      ...(form ? { method: 'POST', body: form } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const fields = (page: string, step: string, filled: Record<string, string>) => {
    const form = page.split('<form').find((part) => part.includes(`name="step" value="${step}"`)) ?? '';
    const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
    const all = new URLSearchParams(filled);
    for (const [, name = '', value = ''] of hidden) all.set(name, value);
    return all;
  };
  return { cookies, go, fields };
}

const RETURN = '/oauth/interaction/abc?x=1';
const SIGN_IN = `/sign-in?return=${encodeURIComponent(RETURN)}`;

describe('the sign-in page', () => {
  it('ignores a token that another site put into the browser', async () => {
    const pages = openPages();
    pages.cookies.set('lotward_form', 'planted');
    await pages.go(SIGN_IN);
    expect(pages.cookies.get('lotward_form')).toMatch(/^\w{32}$/);
    const short = new URLSearchParams({ step: 'password', csrf: 'planted', return: RETURN });
    expect((await pages.go('/sign-in', short)).status).toBe(403);
  });

  it('needs no script, loads nothing from elsewhere and cannot be framed', async () => {
    const { status, headers, text } = await openPages().go(SIGN_IN);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.getSetCookie()[0]).toMatch(/^lotward_form=\w{32}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(text).not.toMatch(/<script|<img|<link|https?:\/\//);
  });

  it('redirects a user without a second factor straight back', async () => {
    const { email } = await newPerson(db, org);
    const { go, fields, cookies } = openPages();
    const page = await go(SIGN_IN);
    const wrong = await go('/sign-in', fields(page.text, 'password', { email, password: 'not this' }));
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('role="alert"');
    expect(cookies.has('lotward_session')).toBe(false);
    const right = await go('/sign-in', fields(wrong.text, 'password', { email, password: PASSWORD }));
    expect(right.status).toBe(303);
    expect(right.headers.get('location')).toBe(RETURN);
    const again = await go(SIGN_IN);
    expect([again.status, again.headers.get('location')]).toEqual([303, RETURN]);
  });

  it('has an administrator set up a second factor, and asks for it from then on', async () => {
    const { email } = await newPerson(db, org, 'admin');
    const first = openPages();
    const page = await first.go(SIGN_IN);
    const half = await first.go(
      '/sign-in',
      first.fields(page.text, 'password', { email, password: PASSWORD }),
    );
    expect(half.headers.get('location')).toBe(SIGN_IN);
    const begin = await first.go(SIGN_IN);
    await first.go('/sign-in', first.fields(begin.text, 'begin', {}));
    const enrol = await first.go(SIGN_IN);
    const secret = (/<code>([A-Z2-7 ]+)<\/code>/.exec(enrol.text)?.[1] ?? '').replaceAll(' ', '');
    expect(secret).toHaveLength(32);
    expect(enrol.text).toContain(`secret=${secret}`);
    const wrong = await first.go('/sign-in', first.fields(enrol.text, 'confirm', { code: '000000' }));
    expect(wrong.status).toBe(401);
    const code = codeAt(secret, db.clock.now());
    const done = await first.go('/sign-in', first.fields(wrong.text, 'confirm', { code }));
    const codes = [...done.text.matchAll(/<code>([0-9a-z-]{34})<\/code>/g)].map(([, each]) => each ?? '');
    expect(codes).toHaveLength(10);
    expect(done.text).toContain(`href="${RETURN}"`);
    expect((await first.go(SIGN_IN)).status).toBe(303);

    const second = openPages();
    const asked = await second.go(SIGN_IN);
    await second.go('/sign-in', second.fields(asked.text, 'password', { email, password: PASSWORD }));
    const codePage = await second.go(SIGN_IN);
    const refused = await second.go('/sign-in', second.fields(codePage.text, 'code', { code }));
    expect(refused.status, 'the code was used').toBe(401);
    const inside = await second.go(
      '/sign-in',
      second.fields(codePage.text, 'code', { code: codes[0] ?? '' }),
    );
    expect(inside.headers.get('location')).toBe(RETURN);

    const third = openPages();
    const start = await third.go(SIGN_IN);
    await third.go('/sign-in', third.fields(start.text, 'password', { email, password: PASSWORD }));
    const waiting = await third.go(SIGN_IN);
    const half3 = new Map(third.cookies);
    await third.go('/sign-in', third.fields(waiting.text, 'leave', {}));
    expect((await third.go(SIGN_IN)).text).toContain('name="password"');
    for (const [name, value] of half3) third.cookies.set(name, value);
    expect((await third.go(SIGN_IN)).text, 'the session ended with it').toContain('name="password"');
  });

  it('accepts only its own form', async () => {
    const { email } = await newPerson(db, org);
    const { go, fields, cookies } = openPages();
    const page = await go(SIGN_IN);
    const form = fields(page.text, 'password', { email, password: PASSWORD });
    expect((await openPages().go('/sign-in', form)).status, 'without the cookie').toBe(403);
    const forged = new URLSearchParams(form);
    forged.set('csrf', 'x'.repeat(32));
    expect((await go('/sign-in', forged)).status).toBe(403);
    expect((await go('/sign-in', form, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(cookies.has('lotward_session')).toBe(false);
    expect((await go('/sign-in', form)).status).toBe(303);
  });

  it('redirects nowhere else, and shows its input as text only', async () => {
    const { email } = await newPerson(db, org);
    const { go, fields } = openPages();
    const page = await go('/sign-in?return=https://evil.example/');
    expect(page.text).toContain('name="return" value="/"');
    const form = fields(page.text, 'password', { email, password: PASSWORD });
    form.set('return', '//evil.example');
    expect((await go('/sign-in', form)).headers.get('location')).toBe('/');
    const hostile = await openPages().go(
      `/sign-in?return=${encodeURIComponent('/"><script>alert(1)</script>')}`,
    );
    expect(hostile.text).not.toContain('<script');
  });

  it('refuses what is not a form, too large, hostile or not sent over https', async () => {
    const { go, fields } = openPages();
    const page = await go(SIGN_IN);
    for (const email of ['', 'nobody', 'a\u0000@b.example'])
      expect((await go('/sign-in', fields(page.text, 'password', { email, password: 'x' }))).status).toBe(
        401,
      );
    const large = fields(page.text, 'password', { email: 'a@b.example', password: 'x'.repeat(20_000) });
    expect((await go('/sign-in', large)).status).toBe(400);
    expect((await api.call('POST', '/sign-in', { email: 'a@b.example' })).status).toBe(403);
    const proxied = await startApi(db.database, { trustedProxies: ['127.0.0.1'] });
    expect((await openPages(proxied.url).go(SIGN_IN)).status).toBe(400);
    const secure = await openPages(proxied.url, { 'x-forwarded-proto': 'https' }).go(SIGN_IN);
    expect(secure.headers.getSetCookie()[0]).toMatch(/^__Host-lotward_form=.*; Secure$/);
    await proxied.close();
  });
});
