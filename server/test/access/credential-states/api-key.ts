import { SCOPES } from '../../../src/access/index.js';
import { revokeKey } from '../../../src/credentials/index.js';
import { newKeyId, newKeyPair } from '../../../src/credentials/key-token.js';
import { type CredentialState, forbidden, invalid, judged, missing, neededBy } from './verdict.js';

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const keyed = ({ apiKey }: { apiKey: string }) => bearer(apiKey);
const swapped = (text: string, at: number) =>
  `${text.slice(0, at)}${text.at(at) === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`;
export const allBut = (scope: string | null | undefined) => SCOPES.filter((each) => each !== scope);

const refused: readonly CredentialState[] = [
  { name: 'none', present: async () => ({}), verdict: missing },
  {
    name: 'another scheme',
    present: async () => ({ authorization: 'Basic b3duZXI6c2VjcmV0' }),
    verdict: invalid,
  },
  { name: 'malformed', present: async () => bearer('lw_half-a-key'), verdict: invalid },
  {
    name: 'bad checksum',
    present: async ({ keys }) => {
      const { apiKey: token } = await keys.create({});
      return bearer(swapped(token, token.length - 1));
    },
    verdict: invalid,
  },
  { name: 'unknown key id', present: async () => keyed(newKeyPair(newKeyId())), verdict: invalid },
  {
    name: 'wrong secret',
    present: async ({ keys }) => keyed(newKeyPair((await keys.create({})).keyId)),
    verdict: invalid,
  },
  {
    name: 'expired',
    present: async ({ keys }) => {
      const then = keys.yesterday();
      const expires = new Date(then.now().getTime() + 3_600_000).toISOString();
      return keyed(await keys.create({ expires }, then));
    },
    verdict: invalid,
  },
  {
    name: 'revoked',
    present: async ({ keys, world }) => {
      const made = await keys.create({});
      await keys.during(world.db.clock, (tx) => revokeKey(tx, made.keyId));
      return keyed(made);
    },
    verdict: invalid,
  },
  {
    name: 'of somebody who was removed',
    present: async ({ keys, world }) => {
      const made = await keys.create({});
      const disabled = "disabled_at = now(), disabled_reason = 'owner_ended'";
      await world.db.sql(`update api_keys set ${disabled} where key_id = $1`, [made.keyId]);
      return keyed(made);
    },
    verdict: invalid,
  },
  {
    name: 'old secret, overlap over',
    present: async ({ keys }) => {
      const then = keys.yesterday();
      const made = await keys.create({}, then);
      await keys.rotate(made.keyId, 3_600, then);
      return keyed(made);
    },
    verdict: invalid,
  },
  {
    name: 'of a suspended organization',
    present: async ({ keys }) => bearer(await keys.ofSuspended(SCOPES)),
    verdict: invalid,
  },
  {
    name: 'used from an address outside its list',
    present: async ({ keys }) => keyed(await keys.create({ allowList: ['192.0.2.1', '2001:db8::/32'] })),
    verdict: () => forbidden('address_not_allowed'),
  },
];

const good: readonly CredentialState[] = [
  {
    name: 'every scope but the one needed',
    present: async ({ keys }, needed) => keyed(await keys.create({ scopes: allBut(needed[0]) })),
    verdict: (row) => judged(row, allBut(row.scope)),
  },
  {
    name: 'active, with exactly the scope needed',
    present: async ({ keys }, needed) => keyed(await keys.create({ scopes: needed })),
    verdict: (row) => judged(row, neededBy(row)),
  },
  {
    name: 'used from an address in its list',
    present: async ({ keys }, needed) =>
      keyed(await keys.create({ scopes: needed, allowList: ['192.0.2.1', '127.0.0.0/8'] })),
    verdict: (row) => judged(row, neededBy(row)),
  },
  {
    name: 'old secret, inside the overlap',
    present: async ({ keys }, needed) => {
      const made = await keys.create({ scopes: needed });
      await keys.rotate(made.keyId, 3_600);
      return keyed(made);
    },
    verdict: (row) => judged(row, neededBy(row)),
  },
  {
    name: 'new secret, inside the overlap',
    present: async ({ keys }, needed) => {
      const made = await keys.create({ scopes: needed });
      return keyed(await keys.rotate(made.keyId, 3_600));
    },
    verdict: (row) => judged(row, neededBy(row)),
  },
  {
    name: 'new secret, overlap over',
    present: async ({ keys }, needed) => {
      const then = keys.yesterday();
      const made = await keys.create({ scopes: needed }, then);
      return keyed(await keys.rotate(made.keyId, 3_600, then));
    },
    verdict: (row) => judged(row, neededBy(row)),
  },
  {
    name: 'bound to a customer, with every scope',
    present: async ({ keys, world }) => keyed(await keys.create({ customerCode: world.ours.partner })),
    verdict: (row) => judged(row, SCOPES, { bound: true }),
  },
  {
    name: 'bound to a customer, every scope but the one needed',
    present: async ({ keys, world }, needed) =>
      keyed(await keys.create({ customerCode: world.ours.partner, scopes: allBut(needed[0]) })),
    verdict: (row) => judged(row, allBut(row.scope), { bound: true }),
  },
];

export const apiKey: readonly CredentialState[] = [...refused, ...good];
