import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES } from '../../src/access/index.js';
import { ROLES } from '../../src/people/roles.js';
import { newSession } from '../harness/index.js';
import {
  bearer,
  forItself,
  judged,
  methodOf,
  neededBy,
  onBehalf,
  type Sent,
} from './credential-states/index.js';
import type { ExpectedRoute, Scope } from './expected-answers/index.js';
import {
  ask,
  closedRows,
  expectVerdict,
  isRotated,
  isTriedInFull,
  PreparedRequests,
  turns,
} from './matrix.js';
import { keysOf, openWorld, type World } from './world.js';

/** Scopes of other areas that each route is tried with, where they take turns. */
const OTHERS = 1;
/** Roles that each route is tried with, of those that may use it and of the others. */
const ROLES_EACH = 1;

/** A credential, the scopes it has, and where it is used. */
interface Holder {
  name: string;
  scopes: readonly string[];
  atConsole: boolean;
  sent: Sent;
}

const kinds = ['key', 'client', 'person'] as const;
type Kind = (typeof kinds)[number];
const nameOf = (kind: Kind, scope: Scope) => `${kind}: ${scope}`;

let world: World;
const withOneScope = new Map<string, Holder>();
let withRole: Holder[];

beforeAll(async () => {
  world = await openWorld();
  const keys = keysOf(world);
  const present: Record<Kind, (scope: Scope) => Promise<Sent>> = {
    key: async (scope) => bearer((await keys.create({ scopes: [scope] })).apiKey),
    client: async (scope) => (await forItself(world, {}, [scope])).sent,
    person: async (scope) => (await onBehalf(world, [scope])).sent,
  };
  for (const scope of SCOPES)
    await Promise.all(
      kinds.map(async (kind) => {
        const name = nameOf(kind, scope);
        withOneScope.set(name, { name, scopes: [scope], atConsole: false, sent: await present[kind](scope) });
      }),
    );
  withRole = await newSessions();
});
afterAll(() => world.close());

type Role = keyof typeof ROLES;
const roles = Object.keys(ROLES) as Role[];

/** One for each role. */
const newSessions = (of: readonly Role[] = roles): Promise<Holder[]> =>
  Promise.all(
    of.map(async (role) => {
      const { orgId } = world.organization.organization;
      const { headers } = await newSession(world.db, orgId, { role });
      return { name: nameOfRole(role), scopes: ROLES[role].scopes, atConsole: true, sent: headers };
    }),
  );
const nameOfRole = (role: Role) => `role: ${role}`;

/**
 * The scopes of a role are the same at every route: where roles take turns, one of each side shows on which it is. Of those that are
 * admitted at routes that read; at the others the credential with one scope is.
 */
const roleTurns = turns<Role>();
function rolesFor(row: ExpectedRoute): readonly Role[] {
  if (isTriedInFull(row)) return roles;
  const isAdmitted = (role: Role) => judged(row, ROLES[role].scopes, { atConsole: true }) === 'success';
  const denied = roles.filter((role) => !isAdmitted(role));
  const admitted = roles.filter(isAdmitted);
  const sides = methodOf(row) === 'GET' || denied.length === 0 ? [admitted, denied] : [denied];
  return sides.flatMap((side) => roleTurns.next(side, ROLES_EACH));
}
const rolesAt = new Map(closedRows.map((row) => [row, rolesFor(row)]));

const admittedTurns = turns<string>();

/** All of them, or one in turn. */
function someOf<T extends { name: string }>(row: ExpectedRoute, admitted: readonly T[]): readonly T[] {
  if (isTriedInFull(row)) return admitted;
  const [chosen] = admittedTurns.next(admitted.map(({ name }) => name));
  return admitted.filter(({ name }) => name === chosen);
}

const prepared = new PreparedRequests();

async function hold(row: ExpectedRoute, holders: readonly Holder[]): Promise<void> {
  const judgements = holders.map((holder) => ({
    ...holder,
    verdict: judged(row, holder.scopes, { atConsole: holder.atConsole }),
  }));
  const request = await prepared.toBeDenied(world, row);
  await Promise.all(
    judgements
      .filter(({ verdict }) => verdict !== 'success')
      .map(async ({ name, sent, verdict }) =>
        expectVerdict(row, await ask(world, methodOf(row), request, sent), verdict, name),
      ),
  );
  const admitted = someOf(
    row,
    judgements.filter(({ verdict }) => verdict === 'success'),
  );
  for (const { name, sent, verdict } of admitted)
    expectVerdict(
      row,
      await ask(world, methodOf(row), await prepared.toSucceed(world, row), sent),
      verdict,
      name,
    );
}

const areaOf = (scope: string) => scope.split(':')[0];
const scopeTurns = turns<Scope>();
const kindTurns = turns<string>();

/** The scopes that a slip would most likely confuse with the one needed, and a few of the others in turn. */
function scopesFor(row: ExpectedRoute): readonly Scope[] {
  if (isTriedInFull(row)) return SCOPES;
  const areas = neededBy(row).map(areaOf);
  const near = SCOPES.filter((scope) => areas.includes(areaOf(scope)));
  const others = SCOPES.filter((scope) => !near.includes(scope));
  return [...near, ...scopeTurns.next(others, OTHERS)];
}

/** The names of the credentials to try, each scope with one kind in turn. */
const triedAt = new Map(
  closedRows.map((row) => [
    row,
    scopesFor(row).flatMap((scope) => {
      const names = kinds.map((kind) => nameOf(kind, scope));
      return isTriedInFull(row) ? names : kindTurns.next(names);
    }),
  ]),
);

it('where scopes, kinds of credentials and roles take turns, each scope is tried with each kind, and each role', () => {
  const never = [...withOneScope.keys()].filter((name) => isRotated && kindTurns.timesTaken(name) === 0);
  expect(never).toEqual([]);
  expect(roles.filter((role) => isRotated && roleTurns.timesTaken(role) === 0)).toEqual([]);
  expect(withOneScope.size).toBe(SCOPES.length * kinds.length);
});

describe.each(closedRows)('$route', (row) => {
  it('a credential with one scope is admitted only if it is the scope of the route', async () => {
    const tried = (triedAt.get(row) ?? []).flatMap((name) => withOneScope.get(name) ?? []);
    expect(tried.length).toBeGreaterThanOrEqual(OTHERS);
    await hold(row, tried);
  });
  it('is open to exactly the roles that have its scope', async () => {
    const tried = rolesAt.get(row) ?? [];
    expect(tried.length).toBeGreaterThan(0);
    const names = tried.map(nameOfRole);
    await hold(
      row,
      row.endsCredential ? await newSessions(tried) : withRole.filter(({ name }) => names.includes(name)),
    );
  });
});
