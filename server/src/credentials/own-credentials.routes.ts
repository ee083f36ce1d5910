import { type Static, Type } from 'typebox';
import { type Database, transact } from '../platform/database/index.js';
import {
  Instant,
  Model,
  Nullable,
  OneOf,
  type Route,
  readRoute,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { confirmOwnership, listOwnCredentials, type OwnCredential } from './confirm-ownership.js';
import { toCredentialView } from './credential.schemas.js';

const facts = { tag: 'Console', scope: null, console: 'only' } as const;
const PATH = '/v2/session/credentials';

const OwnCredentialView = Model('OwnCredential', {
  type: OneOf(['key', 'client']),
  credentialId: Type.String(),
  name: Type.String(),
  owner: Type.String(),
  ownerConfirmed: Type.Boolean(),
  belongsTo: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  status: OneOf(['active', 'disabled']),
  createdBy: Type.String(),
  createdAt: Instant(),
});

function toView({ type, credentialId, shown }: OwnCredential): Static<typeof OwnCredentialView> {
  const { name, owner, ownerConfirmed, belongsTo, scopes, createdBy, createdAt } = toCredentialView(shown);
  const status = shown.status === 'disabled' ? 'disabled' : 'active';
  return { type, credentialId, name, owner, ownerConfirmed, belongsTo, scopes, status, createdBy, createdAt };
}

/** The credentials in the name of the signed-in person. */
export const ownCredentialRoutes = (database: Database): Route[] => [
  readRoute({
    ...facts,
    operationId: 'listOwnCredentials',
    path: PATH,
    summary: 'List the API keys and OAuth clients that you own or created',
    data: Type.Object({ items: Type.Array(OwnCredentialView) }),
    async read({ principal }) {
      const own = await transact(database, principal, (tx) => listOwnCredentials(tx, principal.actor));
      return { items: own.map(toView) };
    },
  }),
  writeRoute({
    ...facts,
    method: 'POST',
    operationId: 'confirmOwnCredential',
    path: `${PATH}/:credentialId/confirm`,
    summary: 'Confirm that a key or OAuth client is yours',
    description:
      'Until you do, its actions count as those of the person who created it. Confirming again changes nothing.',
    params: Strict({ credentialId: Text(64) }),
    body: Strict({}),
    data: OwnCredentialView,
    execute: async (tx, { principal, params }) =>
      toView(await confirmOwnership(tx, principal.actor, params.credentialId)),
  }),
];
