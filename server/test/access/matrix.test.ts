import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/index.js';
import { allRoutes } from '../../src/app/routes.js';
import { WEBHOOK_DEFAULTS } from '../../src/config/index.js';
import { isOpen } from '../../src/platform/http/index.js';
import { type Answer, newSession } from '../harness/index.js';
import {
  bearer,
  type CredentialState,
  credentialKinds,
  forbidden,
  forItself,
  judged,
  type Makers,
  methodOf,
  neededBy,
  onBehalf,
  type Sent,
  type Verdict,
} from './credential-states/index.js';
import { type ExpectedRoute, expectedAnswers, publicPaths, type Request } from './expected-answers/index.js';
import {
  ask,
  closedRows,
  expectVerdict,
  goodFor,
  isRotated,
  isTriedInFull,
  PreparedRequests,
  rowsToTry,
  send,
  successOf,
  turns,
} from './matrix.js';
import { RecordedExamples } from './recorded-examples.js';
import { visibleAnswer } from './visible-answer.js';
import { type Codes, keysOf, type Makes, openWorld, type World } from './world.js';

/** A token lives a quarter of an hour, and a few seconds more for clocks that differ. */
const TOKEN_MS = 15 * 60_000 + 5_000;
const AT_ONCE = 8;

let world: World;
let makers: Makers;
beforeAll(async () => {
  world = await openWorld();
  // Issued before the world began, so that its clock shows the same instant to every request.
  world.db.clock.advance(-TOKEN_MS);
  const expired = { forItself: await forItself(world), onBehalf: await onBehalf(world, SCOPES) };
  world.db.clock.advance(TOKEN_MS);
  makers = {
    world,
    keys: keysOf(world),
    expired: { forItself: expired.forItself.token, onBehalf: expired.onBehalf.token },
  };
});
afterAll(() => world.close());

/** Headers for a state and scopes; requests that need the same scopes share the credential. */
const presented = new Map<string, Promise<Sent>>();
function present(kind: string, state: CredentialState, row: ExpectedRoute): Promise<Sent> {
  const needed = neededBy(row);
  if (row.endsCredential && state.verdict(row) === 'success') return state.present(makers, needed);
  // A state that is the same for all scopes does not take the second parameter.
  const id = `${kind}/${state.name}/${state.present.length > 1 ? needed : ''}`;
  const known = presented.get(id) ?? state.present(makers, needed);
  presented.set(id, known);
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

/** Delivery is not needed: the routes are only listed here. */
const NOT_CALLED = {
  webhooks: { box: null as never, outbound: null as never, policy: WEBHOOK_DEFAULTS },
  console: {
    box: null as never,
    cookie: null as never,
    url: () => '',
    limiter: null as never,
    secure: false,
  },
};

/** Each kind of code yields its name. */
const kindsOfCodes = new Proxy({} as Codes, { get: (_codes, kind) => `<our ${String(kind)}>` });

describe('the table of expected answers', () => {
  it('lists exactly the routes of the service, with the access of each', () => {
    const routes = allRoutes(world.db.database, NOT_CALLED);
    for (const { method, path, operationId } of routes) operationIds.set(`${method} ${path}`, operationId);
    const declared = routes.map((route) => ({
      route: `${route.method} ${route.path}`,
      scope: route.scope,
      customerBound: route.boundCredentials ?? 'refused',
      console: route.console ?? 'not needed',
      stepUp: route.stepUp ?? false,
      open: isOpen(route),
    }));
    const expected = expectedAnswers.map(({ route, scope, customerBound, console, stepUp, open }) => ({
      route,
      scope,
      customerBound,
      console: console ?? 'not needed',
      stepUp: stepUp ?? false,
      open: open ?? false,
    }));
    const sorted = (rows: { route: string }[]) => rows.sort((a, b) => (a.route < b.route ? -1 : 1));
    expect(sorted(declared)).toEqual(sorted(expected));
  });

  it('the server has no paths besides these and the public ones', () => {
    const found = routesOnServer().flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
    );
    const expected = [...expectedAnswers.map(({ route }) => route), ...publicPaths];
    expect(found.sort()).toEqual(expected.sort());
  });
});

/** Every state of every kind of credential. */
const states = Object.entries(credentialKinds).flatMap(([kind, ofKind]) =>
  ofKind.map((state) => ({ kind, state })),
);
type State = (typeof states)[number];

/** Who calls is found out before the route is asked: where states take turns, one credential refused for itself does. */
function likenessOf(verdict: Verdict): string {
  const isRefusedForItself =
    verdict !== 'success' && verdict.status === 401 && verdict.reason !== 'credential_missing';
  return isRefusedForItself ? 'refused for itself' : JSON.stringify(verdict);
}

/** At most routes, the states that are judged alike there take turns. */
const stateTurns = turns<State>();
const statesToTry = (row: ExpectedRoute): readonly State[] =>
  isTriedInFull(row)
    ? states
    : groupBy(states, ({ state }) => likenessOf(state.verdict(row))).flatMap((alike) =>
        stateTurns.next(alike),
      );
const triedAt = new Map(
  closedRows.map((row) => [
    row,
    statesToTry(row).map((each) => ({ ...each, verdict: each.state.verdict(row) })),
  ]),
);
type Attempt = State & { verdict: Verdict };

it('where states of credentials take turns, each gets one', () => {
  const never = states.filter((state) => isRotated && stateTurns.timesTaken(state) === 0);
  expect(never.map(({ kind, state }) => `${kind}: ${state.name}`)).toEqual([]);
});

const prepared = new PreparedRequests();
const examples = new RecordedExamples();
const operationIds = new Map<string, string>();

/** Every verdict that is not as expected, so that a failure names them all. */
async function wrongVerdicts(
  row: ExpectedRoute,
  attempts: readonly Attempt[],
  request: () => Promise<Request>,
): Promise<string[]> {
  const judge = async ({ kind, state, verdict }: Attempt): Promise<string[]> => {
    const sent = await request();
    const answer = await ask(world, methodOf(row), sent, await present(kind, state, row));
    try {
      expectVerdict(row, answer, verdict);
      if (verdict === 'success') examples.note(operationIds.get(row.route), sent, answer);
      return [];
    } catch (error) {
      return [`${kind}: ${state.name}: ${(error as Error).message}`];
    }
  };
  const found: string[] = [];
  for (let from = 0; from < attempts.length; from += AT_ONCE)
    found.push(...(await Promise.all(attempts.slice(from, from + AT_ONCE).map(judge))).flat());
  return found;
}

describe.each(closedRows)('$route', (row) => {
  const tried = triedAt.get(row) ?? [];
  const denied = tried.filter(({ verdict }) => verdict !== 'success');
  const admitted = tried.filter(({ verdict }) => verdict === 'success');

  it(`is denied to each of ${denied.length} states of credentials, with the reason`, async () => {
    expect(denied.length).toBeGreaterThan(0);
    const request = await prepared.toBeDenied(world, row);
    expect(await wrongVerdicts(row, denied, async () => request)).toEqual([]);
  });

  it(`is open to each of ${admitted.length} states of credentials`, async () => {
    expect(admitted.length).toBeGreaterThan(0);
    for (const each of admitted)
      expect(await wrongVerdicts(row, [each], () => prepared.toSucceed(world, row))).toEqual([]);
  });

  // Made of every GET in one place, so that by default those of a sample and the files show it.
  if (methodOf(row) === 'GET' && (isTriedInFull(row) || row.file)) {
    it('HEAD is authorized like GET and has no body', async () => {
      const { path } = await row.request(world);
      const good = await ask(world, 'HEAD', { path }, await goodFor(world, row));
      expect([good.status, good.text]).toEqual([200, '']);
      const bad = await ask(world, 'HEAD', { path }, {});
      expect([bad.status, bad.text]).toEqual([401, '']);
    });
  }

  for (const scope of row.alsoNeeds ?? []) {
    it(`needs ${scope} for what is asked for`, async () => {
      const scopes = SCOPES.filter((each) => each !== scope);
      const { apiKey } = await makers.keys.create({ scopes });
      expectVerdict(row, await send(world, row, bearer(apiKey)), judged(row, scopes));
    });
  }

  for (const { kind, request, ifNotOurs, fresh } of row.names) {
    it(`a ${kind} of others is answered like one that is not there: ${placeOf(kind, request)}`, async () => {
      const answerTo = async (codes: Codes, make?: Makes) => {
        const code = fresh && make ? await fresh(make) : codes[kind];
        const sent = await goodFor(world, row);
        const answer = await ask(world, methodOf(row), request(code, world.ours), sent);
        return { answer, comparable: withoutIds(answer, code) };
      };
      const own = await answerTo(world.ours, world.make);
      expect(own.answer, own.answer.text).toMatchObject(successOf(row));
      const foreign = await answerTo(world.theirs, world.theyMake);
      const nobodys = await answerTo(world.nobodys);
      const { item, ...whole } = ifNotOurs;
      expect(nobodys.answer, nobodys.answer.text).toMatchObject(whole);
      expect(foreign.comparable).toEqual(nobodys.comparable);
      if (item) {
        expect(itemsOf(own.answer)).toMatchObject([{ status: 200 }]);
        expect(itemsOf(nobodys.answer)).toMatchObject([item]);
        return;
      }
      if (itemsOf(own.answer) === undefined) return;
      expect(itemsOf(own.answer), 'ours is found, so the filter works').not.toEqual([]);
      expect(itemsOf(foreign.answer) ?? []).toEqual([]);
    });
  }
});

describe.each(rowsToTry.filter((row) => row.open))('$route', (row) => {
  it('needs no credential and ignores any', async () => {
    const without = await send(world, row, {});
    expectVerdict(row, without, 'success');
    const { headers } = await newSession(world.db, world.organization.organization.orgId);
    for (const sent of [headers, bearer(world.organization.key), bearer('lw_half-a-key')]) {
      const answer = await send(world, row, sent);
      expectVerdict(row, answer, 'success');
      expect(answer.text).toBe(without.text);
    }
  });

  it.each(['cross-site', 'same-site'])('is refused for requests from other sites: %s', async (site) => {
    const answer = await send(world, row, { 'sec-fetch-site': site });
    expectVerdict(row, answer, forbidden('cross_site_request'));
  });
});

it('the examples in the API document are like the responses given here', () => {
  expect(examples.outdated()).toEqual([]);
});

function groupBy<T>(all: readonly T[], keyOf: (each: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return [...groups.values()];
}

const itemsOf = (answer: Answer) => (answer.data as { items?: unknown[] } | null)?.items;

/** The path with the kind in place of a code, or the field of the body that names it. */
function placeOf(kind: string, request: (code: string, ours: Codes) => Request): string {
  const { path, body } = request(`<${kind}>`, kindsOfCodes);
  const field = Object.entries(body ?? {}).find(([, value]) =>
    JSON.stringify(value).includes(`"<${kind}>"`),
  )?.[0];
  return field === undefined ? path : `${path} ${field}`;
}

/** A response without the parts that must differ: the requested code and generated ids. */
function withoutIds(answer: Answer, code: string) {
  const seen = visibleAnswer(answer, code);
  return { ...seen, text: seen.text.replaceAll(/\b[a-z]{3}_[0-9a-z]{26}\b/g, '<id>') };
}
