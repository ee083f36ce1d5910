import { SCOPES } from '../../../src/access/index.js';
import { revokeClient } from '../../../src/credentials/index.js';
import { updateOrganization } from '../../../src/organizations/index.js';
import { ROLES } from '../../../src/people/roles.js';
import { newOrganization, newSession, type TestPerson } from '../../harness/index.js';
import type { Scope } from '../expected-answers/index.js';
import { clientToken, newClient, sendAs, type TestClient, userTokens } from '../oauth-world.js';
import type { World } from '../world.js';
import { allBut, bearer } from './api-key.js';
import {
  type CredentialState,
  forbidden,
  invalid,
  judged,
  type Makers,
  neededBy,
  type Sent,
} from './verdict.js';

type Given = Parameters<typeof newClient>[2];

/** A client must be allowed something. */
const atLeastOne = (scopes: readonly Scope[]): readonly Scope[] =>
  scopes.length > 0 ? scopes : ['udi:read'];

interface Issued {
  client: TestClient;
  token: string;
  sent: Sent;
}

/** A token that the client got for itself, for everything it may do. */
export async function forItself(world: World, given: Given = {}, scopes?: readonly Scope[]): Promise<Issued> {
  const client = await newClient(world.db, world.organization, { scopes: SCOPES, ...given });
  const token = await clientToken(world.api, client, scopes?.join(' '));
  return { client, token, sent: bearer(token) };
}

export interface IssuedFor extends Issued {
  refresh: string;
  person: TestPerson;
}

/** A token issued after consent. */
export async function onBehalf(
  world: World,
  scopes: readonly Scope[],
  given: Given = {},
): Promise<IssuedFor> {
  const client = await newClient(world.db, world.organization, { scopes: SCOPES, ...given });
  const person = await newSession(world.db, world.organization.organization.orgId);
  const { access, refresh } = await userTokens(world.api, client, person, { scope: scopes.join(' ') });
  return { client, token: access, sent: bearer(access), refresh, person };
}

const changeClients = ({ world }: Makers, change: string, { client }: Issued) =>
  world.db.sql(`update oauth_clients set ${change} where client_id = $1`, [client.clientId]);

async function ofSuspended({ world }: Makers): Promise<Sent> {
  const organization = await newOrganization(world.db);
  const issued = await forItself({ ...world, organization });
  await updateOrganization(world.db.database, 'operator@test.example', organization.organization.orgId, {
    status: 'suspended',
  });
  return issued.sent;
}

const refusedTokens: readonly CredentialState[] = [
  { name: 'malformed', present: async () => bearer('a.b.c'), verdict: invalid },
  {
    name: 'tampered with',
    present: async ({ world }) => {
      const [head, , signature] = (await forItself(world)).token.split('.');
      const [, other] = (await forItself(world)).token.split('.');
      return bearer(`${head}.${other}.${signature}`);
    },
    verdict: invalid,
  },
  {
    name: 'not signed',
    present: async ({ world }) => {
      const [, body] = (await forItself(world)).token.split('.');
      return bearer(`${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${body}.`);
    },
    verdict: invalid,
  },
  { name: 'expired', present: async ({ expired }) => bearer(expired.forItself), verdict: invalid },
  {
    name: 'revoked',
    present: async ({ world }) => {
      const { client, token, sent } = await forItself(world);
      await sendAs(world.api, client, '/oauth/revoke', { token });
      return sent;
    },
    verdict: invalid,
  },
  {
    name: 'of a revoked client',
    present: async ({ world, keys }) => {
      const { client, sent } = await forItself(world);
      await keys.during(world.db.clock, (tx) => revokeClient(tx, client.clientId));
      return sent;
    },
    verdict: invalid,
  },
  {
    name: 'of a client of somebody who was removed',
    present: async (makers) => {
      const issued = await forItself(makers.world);
      await changeClients(makers, "disabled_at = now(), disabled_reason = 'owner_ended'", issued);
      return issued.sent;
    },
    verdict: invalid,
  },
  { name: 'of a suspended organization', present: ofSuspended, verdict: invalid },
  {
    name: 'in a cookie',
    present: async ({ world }) => ({ cookie: `lotward_session=${(await forItself(world)).token}` }),
    verdict: invalid,
  },
  {
    name: 'used from an address outside the list of its client',
    present: async (makers) => {
      const issued = await forItself(makers.world);
      await changeClients(makers, "allow_list = '{192.0.2.1}'", issued);
      return issued.sent;
    },
    verdict: () => forbidden('address_not_allowed'),
  },
];

const goodTokens: readonly CredentialState[] = [
  {
    name: 'with exactly the scope needed',
    present: async ({ world }, needed) => (await forItself(world, { scopes: atLeastOne(needed) })).sent,
    verdict: (row) => judged(row, neededBy(row)),
  },
  {
    name: 'asked for every scope but the one needed',
    present: async ({ world }, needed) => (await forItself(world, {}, allBut(needed[0]))).sent,
    verdict: (row) => judged(row, allBut(row.scope)),
  },
  {
    name: 'of a client that lost the scope needed since',
    present: async (makers, needed) => {
      const issued = await forItself(makers.world);
      await changeClients(makers, `scopes = '{${allBut(needed[0])}}'`, issued);
      return issued.sent;
    },
    verdict: (row) => judged(row, allBut(row.scope)),
  },
  {
    name: 'of a client bound to a customer, with every scope',
    present: async ({ world }) => (await forItself(world, { customerCode: world.ours.partner })).sent,
    verdict: (row) => judged(row, SCOPES, { bound: true }),
  },
  {
    name: 'of a client bound to a customer, every scope but the one needed',
    present: async ({ world }, needed) =>
      (await forItself(world, { customerCode: world.ours.partner, scopes: allBut(needed[0]) })).sent,
    verdict: (row) => judged(row, allBut(row.scope), { bound: true }),
  },
];

const refusedOnBehalf: readonly CredentialState[] = [
  { name: 'expired', present: async ({ expired }) => bearer(expired.onBehalf), verdict: invalid },
  {
    name: 'its refresh token',
    present: async ({ world }) => bearer((await onBehalf(world, SCOPES)).refresh),
    verdict: invalid,
  },
  {
    name: 'of a grant that was ended',
    present: async ({ world }) => {
      const { client, refresh, sent } = await onBehalf(world, SCOPES);
      await sendAs(world.api, client, '/oauth/revoke', { token: refresh });
      return sent;
    },
    verdict: invalid,
  },
  ...(['removed', 'invited'] as const).map(
    (status): CredentialState => ({
      name: `of somebody who is ${status}`,
      present: async ({ world }) => {
        const { person, sent } = await onBehalf(world, SCOPES);
        await world.db.sql('update users set status = $2 where user_id = $1', [person.userId, status]);
        return sent;
      },
      verdict: invalid,
    }),
  ),
];

const goodOnBehalf: readonly CredentialState[] = [
  {
    name: 'with exactly the scope needed',
    present: async ({ world }, needed) => (await onBehalf(world, atLeastOne(needed))).sent,
    verdict: (row) => judged(row, neededBy(row)),
  },
  {
    name: 'agreed to for every scope but the one needed',
    present: async ({ world }, needed) => (await onBehalf(world, allBut(needed[0]))).sent,
    verdict: (row) => judged(row, allBut(row.scope)),
  },
  {
    name: 'of somebody whose role was lowered since',
    present: async ({ world }) => {
      const { person, sent } = await onBehalf(world, SCOPES);
      await world.db.sql("update users set role = 'viewer' where user_id = $1", [person.userId]);
      return sent;
    },
    verdict: (row) => judged(row, ROLES.viewer.scopes),
  },
  {
    name: 'of a client bound to a customer',
    present: async ({ world }) => (await onBehalf(world, SCOPES, { customerCode: world.ours.partner })).sent,
    verdict: (row) => judged(row, SCOPES, { bound: true }),
  },
];

export const oauthToken: readonly CredentialState[] = [...refusedTokens, ...goodTokens];
export const oauthTokenOnBehalf: readonly CredentialState[] = [...refusedOnBehalf, ...goodOnBehalf];
