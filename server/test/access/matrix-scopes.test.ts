import { afterAll, beforeAll, describe, it } from 'vitest';
import { SCOPES } from '../../src/access/index.js';
import { ROLES } from '../../src/people/roles.js';
import { newSession } from '../harness/index.js';
import { bearer, forItself, judged, methodOf, onBehalf, type Sent } from './credential-states/index.js';
import type { ExpectedRoute } from './expected-answers/index.js';
import { ask, expectVerdict, rowsToTry, send } from './matrix.js';
import { keysOf, openWorld, type World } from './world.js';

/** A credential, the scopes it has, and where it is used. */
interface Holder {
  name: string;
  scopes: readonly string[];
  atConsole: boolean;
  sent: Sent;
}

let world: World;
const withOneScope: Holder[] = [];

beforeAll(async () => {
  world = await openWorld();
  const keys = keysOf(world);
  for (const scope of SCOPES) {
    const { apiKey } = await keys.create({ scopes: [scope] });
    const presented = {
      key: bearer(apiKey),
      client: (await forItself(world, {}, [scope])).sent,
      person: (await onBehalf(world, [scope])).sent,
    };
    for (const [kind, sent] of Object.entries(presented))
      withOneScope.push({ name: `${kind}: ${scope}`, scopes: [scope], atConsole: false, sent });
  }
});
afterAll(() => world.close());

/** Sessions of their own for every route: some end them. */
const withRole = (): Promise<Holder[]> =>
  Promise.all(
    Object.entries(ROLES).map(async ([role, { scopes }]) => {
      const { orgId } = world.organization.organization;
      const { headers } = await newSession(world.db, orgId, { role: role as keyof typeof ROLES });
      return { name: `role: ${role}`, scopes, atConsole: true, sent: headers };
    }),
  );

/** A denial does not depend on the content of the request, so one request per credential is enough, all at once. */
async function hold(row: ExpectedRoute, holders: readonly Holder[]): Promise<void> {
  const judgements = holders.map((holder) => ({
    ...holder,
    verdict: judged(row, holder.scopes, { atConsole: holder.atConsole }),
  }));
  const request = await row.request(world);
  await Promise.all(
    judgements
      .filter(({ verdict }) => verdict !== 'success')
      .map(async ({ name, sent, verdict }) =>
        expectVerdict(row, await ask(world, methodOf(row), request, sent), verdict, name),
      ),
  );
  for (const { name, sent, verdict } of judgements)
    if (verdict === 'success') expectVerdict(row, await send(world, row, sent), verdict, name);
}

const closed = rowsToTry.filter((row) => !row.open);

describe.each(closed)('$route', (row) => {
  it('a credential with one scope is admitted only if it is the scope of the route', () =>
    hold(row, withOneScope));
  it('is open to exactly the roles that have its scope', async () => hold(row, await withRole()));
});
