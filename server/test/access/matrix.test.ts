import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/index.js';
import { allRoutes } from '../../src/app/routes.js';
import { WEBHOOK_DEFAULTS } from '../../src/config/index.js';
import { type Answer, callApi } from '../harness/index.js';
import { type CredentialState, credentialKinds } from './credential-states.js';
import type { Documents } from './documents.js';
import { type ExpectedRoute, expectedAnswers, publicPaths, type Request } from './expected-answers/index.js';
import { type Codes, FOREIGN_WORD, keysOf, openWorld, type World } from './world.js';

let world: World;
let keys: ReturnType<typeof keysOf>;
beforeAll(async () => {
  world = await openWorld();
  keys = keysOf(world);
});
afterAll(() => world.close());

const methodOf = (row: ExpectedRoute) => row.route.slice(0, row.route.indexOf(' '));

/** The same request id each time: what is left to differ is what the caller could learn from. */
const ask = (method: string, { path, body }: Request, authorization: string | null) =>
  callApi(world.api.url, method, path, body, undefined, {
    'x-request-id': 'matrix',
    ...(authorization === null ? {} : { authorization }),
  });

/** A header for a state and scopes; requests that need the same scopes share the credential. */
const headers = new Map<string, Promise<string | null>>();
function authorizationFor(kind: string, state: CredentialState, row: ExpectedRoute): Promise<string | null> {
  const needed = [...(row.scope === null ? [] : [row.scope]), ...(row.alsoNeeds ?? [])];
  const id = `${kind}/${state.name}/${needed}`;
  const known = headers.get(id) ?? state.authorization(keys, needed, world);
  headers.set(id, known);
  return known;
}

/** `path (METHOD, METHOD)` of everything on the router, from the tree it prints. */
function routesOnServer(): { path: string; methods: string[] }[] {
  const parents: string[] = [];
  return world.api.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const match = /^([│ ]*)[└├]── (\S*) \(([A-Z, ]+)\)$/.exec(line);
      if (!match) return [];
      const [, indent = '', part = '', methods = ''] = match;
      const depth = indent.length / 4;
      // The tree leaves out the slash before the rest of a path.
      const path = ((parents[depth - 1] ?? '') + part).replace(/(?<!\/)\*$/, '/*');
      parents[depth] = path;
      return [{ path, methods: methods.split(', ') }];
    });
}

/** What the routes push with: they are only listed here. */
const NOT_CALLED = { outbound: null as never, policy: WEBHOOK_DEFAULTS };

/** Of every kind its name. */
const kindsOfCodes = new Proxy({} as Codes, { get: (_codes, kind) => `<our ${String(kind)}>` });

describe('the table of expected answers', () => {
  it('has exactly the routes of the service, with the scope and customer rule each declares', () => {
    const declared = allRoutes(world.db.database, NOT_CALLED).map((route) => ({
      route: `${route.method} ${route.path}`,
      scope: route.scope,
      customerBound: route.customerBound ?? 'refused',
    }));
    const expected = expectedAnswers.map(({ route, scope, customerBound }) => ({
      route,
      scope,
      customerBound,
    }));
    const sorted = (rows: { route: string }[]) => rows.sort((a, b) => (a.route < b.route ? -1 : 1));
    expect(sorted(declared)).toEqual(sorted(expected));
  });

  it('and the public paths are all that is on the server', () => {
    const found = routesOnServer().flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
    );
    const expected = [...expectedAnswers.map(({ route }) => route), ...publicPaths.map((p) => `GET ${p}`)];
    expect(found.sort()).toEqual(expected.sort());
  });
});

describe.each(expectedAnswers)('$route', (row) => {
  for (const [kind, states] of Object.entries(credentialKinds)) {
    it.each(states)(`${kind}: $name`, async (state) => {
      const authorization = await authorizationFor(kind, state, row);
      const answer = await ask(methodOf(row), await row.request(world), authorization);
      const verdict = state.verdict(row);
      if (verdict === 'success') {
        expect(answer, answer.text).toMatchObject(successOf(row));
        expect(answer.headers.get('ratelimit-policy')).not.toBeNull();
      } else {
        const { status, code, reason } = verdict;
        expect(answer, answer.text).toMatchObject({ status, code, reason, data: null });
        expect(answer.headers.get('www-authenticate')).toBe(
          'challenge' in verdict ? verdict.challenge : null,
        );
      }
      expect(answer.headers.get('x-request-id')).toBe('matrix');
      expect(answer.headers.get('cache-control')).toMatch(/^(private, )?no-store$/);
      expect(answer.text).not.toContain(FOREIGN_WORD);
    });
  }

  if (methodOf(row) === 'GET') {
    it('HEAD is judged as GET and has no body', async () => {
      const { path } = await row.request(world);
      const good = await ask('HEAD', { path }, `Bearer ${world.organization.key}`);
      expect([good.status, good.text]).toEqual([200, '']);
      const bad = await ask('HEAD', { path }, null);
      expect([bad.status, bad.text]).toEqual([401, '']);
    });
  }

  for (const scope of row.alsoNeeds ?? []) {
    it(`needs ${scope} for what is asked for`, async () => {
      const { apiKey } = await keys.create({ scopes: SCOPES.filter((each) => each !== scope) });
      const answer = await ask(methodOf(row), await row.request(world), `Bearer ${apiKey}`);
      expect(answer).toMatchObject({ status: 403, code: 1003, reason: 'scope_missing', data: null });
    });
  }

  for (const { kind, request, ifNotOurs, fresh } of row.names) {
    it(`a ${kind} of others is answered like one that is not there: ${placeOf(kind, request)}`, async () => {
      const answerTo = async (codes: Codes, make?: Documents) => {
        const code = fresh && make ? await fresh(make) : codes[kind];
        const answer = await ask(
          methodOf(row),
          request(code, world.ours),
          `Bearer ${world.organization.key}`,
        );
        return { answer, told: whatIsTold(answer, code) };
      };
      const own = await answerTo(world.ours, world.make);
      expect(own.answer, own.answer.text).toMatchObject(successOf(row));
      const foreign = await answerTo(world.theirs, world.theyMake);
      const missing = await answerTo(world.nobodys);
      expect(missing.answer, missing.answer.text).toMatchObject(ifNotOurs);
      expect(foreign.told).toEqual(missing.told);
      if (itemsOf(own.answer) === undefined) return;
      expect(itemsOf(own.answer), 'ours is found, so the filter works').not.toEqual([]);
      expect(itemsOf(foreign.answer) ?? []).toEqual([]);
    });
  }
});

const successOf = (row: ExpectedRoute) => ({ status: 200, code: row.file ? Number.NaN : 0 });
const itemsOf = (answer: Answer) => (answer.data as { items?: unknown[] } | null)?.items;

/** The path with the kind in place of a code, or the field of the body that names it. */
function placeOf(kind: string, request: (code: string, ours: Codes) => Request): string {
  const { path, body } = request(`<${kind}>`, kindsOfCodes);
  const field = Object.entries(body ?? {}).find(([, value]) =>
    JSON.stringify(value).includes(`"<${kind}>"`),
  )?.[0];
  return field === undefined ? path : `${path} ${field}`;
}

/** An answer without what must differ: the code that was asked for, and ids made anew. */
function whatIsTold(answer: Answer, code: string) {
  const { date: _date, ...told } = Object.fromEntries(answer.headers);
  const text = answer.text.replaceAll(code, '<code>').replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b/g, '<id>');
  return { status: answer.status, headers: told, text };
}
