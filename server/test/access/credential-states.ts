import { revokeKey, SCOPES } from '../../src/access/index.js';
import { newKeyId, newKeyPair } from '../../src/access/key-token.js';
import type { ExpectedRoute, Scope } from './expected-answers/index.js';
import type { keysOf, World } from './world.js';

/** What the caller must see. `success`: whatever the route answers to its own request, with status 200. */
type Verdict =
  | 'success'
  | { status: 401 | 403; code: 1002 | 1003; reason: string; challenge: string }
  | { status: 403; code: 1003; reason: string };

type Keys = ReturnType<typeof keysOf>;

/** One state a credential can be in: how it comes about, and how every route answers to it. */
export interface CredentialState {
  name: string;
  /** The `Authorization` header, made for a request that needs these scopes, the route's first; null: none is sent. */
  authorization(keys: Keys, needed: readonly Scope[], world: World): Promise<string | null>;
  verdict(route: ExpectedRoute): Verdict;
}

const success = (): Verdict => 'success';
const invalid = (): Verdict => ({
  status: 401,
  code: 1002,
  reason: 'credential_invalid',
  challenge: 'Bearer error="invalid_token"',
});
const forbidden = (reason: string): Verdict => ({ status: 403, code: 1003, reason });
const scopeMissing = (): Verdict => ({
  status: 403,
  code: 1003,
  reason: 'scope_missing',
  challenge: 'Bearer error="insufficient_scope"',
});

const bearer = ({ apiKey }: { apiKey: string }) => `Bearer ${apiKey}`;
const swapped = (text: string, at: number) =>
  `${text.slice(0, at)}${text.at(at) === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`;

const apiKey: readonly CredentialState[] = [
  {
    name: 'none',
    authorization: async () => null,
    verdict: () => ({ status: 401, code: 1002, reason: 'credential_missing', challenge: 'Bearer' }),
  },
  { name: 'another scheme', authorization: async () => 'Basic b3duZXI6c2VjcmV0', verdict: invalid },
  { name: 'malformed', authorization: async () => 'Bearer lw_half-a-key', verdict: invalid },
  {
    name: 'bad checksum',
    authorization: async (keys) => {
      const { apiKey: token } = await keys.create({});
      return `Bearer ${swapped(token, token.length - 1)}`;
    },
    verdict: invalid,
  },
  {
    name: 'unknown key id',
    authorization: async () => bearer(newKeyPair(newKeyId())),
    verdict: invalid,
  },
  {
    name: 'wrong secret',
    authorization: async (keys) => bearer(newKeyPair((await keys.create({})).keyId)),
    verdict: invalid,
  },
  {
    name: 'expired',
    authorization: async (keys) => {
      const then = keys.yesterday();
      const expires = new Date(then.now().getTime() + 3_600_000).toISOString();
      return bearer(await keys.create({ expires }, then));
    },
    verdict: invalid,
  },
  {
    name: 'revoked',
    authorization: async (keys, _needed, world) => {
      const made = await keys.create({});
      await keys.during(world.db.clock, (tx) => revokeKey(tx, made.keyId));
      return bearer(made);
    },
    verdict: invalid,
  },
  {
    name: 'old secret, overlap over',
    authorization: async (keys) => {
      const then = keys.yesterday();
      const made = await keys.create({}, then);
      await keys.rotate(made.keyId, 3_600, then);
      return bearer(made);
    },
    verdict: invalid,
  },
  {
    name: 'of a suspended organization',
    authorization: async (keys) => `Bearer ${await keys.ofSuspended(SCOPES)}`,
    verdict: invalid,
  },
  {
    name: 'used from an address outside its list',
    authorization: async (keys) => bearer(await keys.create({ allowList: ['192.0.2.1', '2001:db8::/32'] })),
    verdict: () => forbidden('address_not_allowed'),
  },
  {
    name: 'every scope but the one needed',
    authorization: async (keys, needed) =>
      bearer(await keys.create({ scopes: SCOPES.filter((each) => each !== needed[0]) })),
    verdict: ({ scope }) => (scope === null ? 'success' : scopeMissing()),
  },
  {
    name: 'active, with exactly the scope needed',
    authorization: async (keys, needed) => bearer(await keys.create({ scopes: needed })),
    verdict: success,
  },
  {
    name: 'used from an address in its list',
    authorization: async (keys, needed) =>
      bearer(await keys.create({ scopes: needed, allowList: ['192.0.2.1', '127.0.0.0/8'] })),
    verdict: success,
  },
  {
    name: 'old secret, inside the overlap',
    authorization: async (keys, needed) => {
      const made = await keys.create({ scopes: needed });
      await keys.rotate(made.keyId, 3_600);
      return bearer(made);
    },
    verdict: success,
  },
  {
    name: 'new secret, inside the overlap',
    authorization: async (keys, needed) => {
      const made = await keys.create({ scopes: needed });
      return bearer(await keys.rotate(made.keyId, 3_600));
    },
    verdict: success,
  },
  {
    name: 'new secret, overlap over',
    authorization: async (keys, needed) => {
      const then = keys.yesterday();
      const made = await keys.create({ scopes: needed }, then);
      return bearer(await keys.rotate(made.keyId, 3_600, then));
    },
    verdict: success,
  },
  {
    name: 'bound to a customer, with every scope',
    authorization: async (keys, _needed, world) =>
      bearer(await keys.create({ customerCode: world.ours.partner })),
    verdict: ({ customerBound }) => (customerBound === 'allowed' ? 'success' : forbidden('customer_bound')),
  },
  {
    name: 'bound to a customer, every scope but the one needed',
    authorization: async (keys, needed, world) =>
      bearer(
        await keys.create({
          customerCode: world.ours.partner,
          scopes: SCOPES.filter((each) => each !== needed[0]),
        }),
      ),
    verdict: ({ scope }) => (scope === null ? 'success' : scopeMissing()),
  },
];

/** Each kind of credential with its states; all kinds are held against the same table of routes. */
export const credentialKinds: Readonly<Record<string, readonly CredentialState[]>> = { 'API key': apiKey };
