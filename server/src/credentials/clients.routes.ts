import { type Static, Type } from 'typebox';
import { requireHeldScopes } from '../access/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  listRoute,
  Model,
  type Route,
  readRoute,
  ShownOnce,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { OVERLAP_SECONDS_DEFAULT } from '../platform/secrets/index.js';
import { adoptCredential } from './adopt-credential.js';
import { changeClient } from './change-client.js';
import { clientStore } from './client.store.js';
import { createClient } from './create-client.js';
import type { ShownCredential, StoredClient } from './credential.js';
import {
  CredentialFilters,
  credentialBody,
  credentialPatch,
  credentialView,
  placeKey,
  RotationBody,
  requirePlace,
  toCredentialView,
} from './credential.schemas.js';
import { CLIENT, lockCredential } from './credential-lifecycle.js';
import { revokeClient } from './revoke-client.js';
import { rotateClientSecret } from './rotate-client-secret.js';

const tag = 'Settings';
const PATH = '/v2/settings/clients';
const REDIRECTS_MAX = 20;
const ById = Strict({ clientId: Text(64) });

const RedirectUris = () =>
  Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
    maxItems: REDIRECTS_MAX,
    description:
      'Redirect URIs, compared exactly: https, or http on loopback. A client without any acts only for itself.',
    examples: [['https://partner.example/callback']],
  });

const ClientView = Model('OAuthClient', {
  clientId: Type.String(),
  ...credentialView,
  redirectUris: Type.Array(Type.String()),
});
const SecretView = Model('OAuthClientSecret', {
  ...ClientView.properties,
  clientSecret: ShownOnce(),
});
const ClientBody = Strict({ ...credentialBody, redirectUris: Type.Optional(RedirectUris()) });
const ClientPatch = Strict({ ...credentialPatch, redirectUris: Type.Optional(RedirectUris()) });

const toClientView = (client: ShownCredential<StoredClient>): Static<typeof ClientView> => ({
  clientId: client.clientId,
  ...toCredentialView(client),
  redirectUris: client.redirectUris,
});

async function readClient(tx: Tx, clientId: string): Promise<Static<typeof ClientView>> {
  const client = await clientStore.find(tx, clientId);
  if (!client) throw missing('client', 'clientId');
  return toClientView(client);
}

export const clientRoutes = (database: Database): Route[] => [
  ...readRoutes(database),
  ...writeRoutes(),
  ...secretRoutes(),
];

function readRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listSettingsClients',
      path: PATH,
      scope: 'settings:read',
      tag,
      summary: 'List OAuth clients, newest first',
      filters: CredentialFilters,
      item: ClientView,
      list: 'clients',
      keyLength: 2,
      key: (client) => placeKey(client.createdAt, client.clientId),
      updatedAt: (client) => client.updatedAt,
      view: toClientView,
      readRows: ({ principal, filter, page }) => {
        requirePlace(page);
        return transact(database, principal, (tx) => clientStore.page(tx, filter, page));
      },
    }),
    readRoute({
      operationId: 'getSettingsClient',
      path: `${PATH}/:clientId`,
      scope: 'settings:read',
      tag,
      summary: 'Read an OAuth client',
      params: ById,
      data: ClientView,
      read: ({ principal, params }) => transact(database, principal, (tx) => readClient(tx, params.clientId)),
    }),
  ];
}

function writeRoutes(): Route[] {
  return [
    writeRoute({
      method: 'PATCH',
      operationId: 'changeSettingsClient',
      path: `${PATH}/:clientId`,
      scope: 'settings:write',
      console: 'only',
      stepUp: true,
      conditional: true,
      tag,
      summary: 'Update an OAuth client',
      description:
        'Omitted fields keep their values; null removes the allow-list. Existing consents never gain scopes; removed scopes end within a second.',
      params: ById,
      body: ClientPatch,
      data: ClientView,
      async execute(tx, { principal, params, body, precondition }) {
        if (precondition) {
          await lockCredential(tx, CLIENT, params.clientId);
          precondition.require(await readClient(tx, params.clientId));
        }
        await changeClient(tx, params.clientId, body);
        const client = await readClient(tx, params.clientId);
        requireHeldScopes(principal, client.scopes);
        return client;
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'adoptSettingsClient',
      path: `${PATH}/:clientId/adopt`,
      scope: 'settings:write',
      console: 'only',
      stepUp: true,
      tag,
      summary: 'Adopt an OAuth client whose person was removed',
      description: 'Enables the client again. You become its owner, and it ends with you.',
      params: ById,
      body: Strict({}),
      data: ClientView,
      async execute(tx, { principal, params }) {
        await adoptCredential(tx, CLIENT, principal, params.clientId);
        return readClient(tx, params.clientId);
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'revokeSettingsClient',
      path: `${PATH}/:clientId/revoke`,
      scope: 'settings:write',
      tag,
      summary: 'Revoke an OAuth client',
      description: 'Its tokens are refused by every process within a second. Revoking again changes nothing.',
      params: ById,
      body: Strict({}),
      data: ClientView,
      async execute(tx, { params }) {
        await revokeClient(tx, params.clientId);
        return readClient(tx, params.clientId);
      },
    }),
  ];
}

function secretRoutes(): Route[] {
  return [
    writeRoute({
      method: 'POST',
      operationId: 'createSettingsClient',
      path: PATH,
      scope: 'settings:write',
      console: 'only',
      stepUp: true,
      tag,
      summary: 'Create an OAuth client',
      description:
        'The secret is shown only in this response. It ends with its creator, who also owns it unless another owner is given. ' +
        'Another owner must confirm it: until then it acts in the name of its creator.',
      body: ClientBody,
      data: SecretView,
      showsSecret: true,
      async execute(tx, { principal, body }) {
        requireHeldScopes(principal, body.scopes);
        const { clientId, clientSecret } = await createClient(tx, {
          owner: principal.actor,
          ...body,
          belongsTo: principal.actor,
        });
        return { ...(await readClient(tx, clientId)), clientSecret };
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'rotateSettingsClientSecret',
      path: `${PATH}/:clientId/rotate-secret`,
      scope: 'settings:write',
      console: 'only',
      stepUp: true,
      tag,
      summary: 'Rotate the secret of an OAuth client',
      description:
        'The old secret stays valid during the overlap. The new one is shown only in this response.',
      params: ById,
      body: RotationBody,
      data: SecretView,
      showsSecret: true,
      async execute(tx, { principal, params, body }) {
        const { overlapSeconds = OVERLAP_SECONDS_DEFAULT } = body;
        const { clientSecret } = await rotateClientSecret(tx, params.clientId, overlapSeconds);
        const client = await readClient(tx, params.clientId);
        requireHeldScopes(principal, client.scopes);
        return { ...client, clientSecret };
      },
    }),
  ];
}
