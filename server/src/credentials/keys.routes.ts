import { type Static, Type } from 'typebox';
import { requireHeldScopes } from '../access/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import {
  Instant,
  invalid,
  listRoute,
  Model,
  Nullable,
  type Route,
  readRoute,
  ShownOnce,
  Strict,
  Text,
  writeRoute,
} from '../platform/http/index.js';
import { OVERLAP_SECONDS_DEFAULT } from '../platform/secrets/index.js';
import { adoptCredential } from './adopt-credential.js';
import { changeKey } from './change-key.js';
import { createKey, isKeyExpiry } from './create-key.js';
import type { ShownCredential, StoredKey } from './credential.js';
import {
  CredentialFilters,
  credentialBody,
  credentialPatch,
  credentialView,
  iso,
  placeKey,
  RotationBody,
  requirePlace,
  toCredentialView,
} from './credential.schemas.js';
import { KEY, lockCredential } from './credential-lifecycle.js';
import { keyStore } from './key.store.js';
import { revokeKey } from './revoke-key.js';
import { rotateKey } from './rotate-key.js';

const tag = 'Settings';
const PATH = '/v2/settings/keys';
const ById = Strict({ keyId: Text(64) });

const KeyView = Model('ApiKey', {
  keyId: Type.String(),
  ...credentialView,
  expiresAt: Nullable(Instant()),
});
const SecretView = Model('ApiKeySecret', {
  ...KeyView.properties,
  secret: ShownOnce(),
  apiKey: ShownOnce('The bearer token.'),
});
const KeyBody = Strict({
  ...credentialBody,
  expires: Type.Optional(
    Text(40, 'A date, with whose end it ends where the organization is, or an instant.'),
  ),
});

const toKeyView = (key: ShownCredential<StoredKey>): Static<typeof KeyView> => ({
  keyId: key.keyId,
  ...toCredentialView(key),
  expiresAt: iso(key.expiresAt),
});

async function readKey(tx: Tx, keyId: string): Promise<Static<typeof KeyView>> {
  const key = await keyStore.find(tx, keyId);
  if (!key) throw missing('key', 'keyId');
  return toKeyView(key);
}

export const keyRoutes = (database: Database): Route[] => [
  ...readRoutes(database),
  ...writeRoutes(),
  ...changeRoutes(),
];

function readRoutes(database: Database): Route[] {
  return [
    listRoute({
      operationId: 'listSettingsKeys',
      path: PATH,
      scope: 'settings:read',
      tag,
      summary: 'List API keys, newest first',
      filters: CredentialFilters,
      item: KeyView,
      list: 'keys',
      keyLength: 2,
      key: (key) => placeKey(key.createdAt, key.keyId),
      updatedAt: (key) => key.updatedAt,
      view: toKeyView,
      readRows: ({ principal, filter, page }) => {
        requirePlace(page);
        return transact(database, principal, (tx) => keyStore.page(tx, filter, page));
      },
    }),
    readRoute({
      operationId: 'getSettingsKey',
      path: `${PATH}/:keyId`,
      scope: 'settings:read',
      tag,
      summary: 'Read an API key',
      params: ById,
      data: KeyView,
      read: ({ principal, params }) => transact(database, principal, (tx) => readKey(tx, params.keyId)),
    }),
  ];
}

function changeRoutes(): Route[] {
  return [
    writeRoute({
      method: 'PATCH',
      operationId: 'changeSettingsKey',
      path: `${PATH}/:keyId`,
      scope: 'settings:write',
      console: 'only',
      stepUp: true,
      conditional: true,
      tag,
      summary: 'Update an API key',
      description:
        'Omitted fields keep their values; null removes the allow-list. Takes effect in every process within a second.',
      params: ById,
      body: Strict(credentialPatch),
      data: KeyView,
      async execute(tx, { principal, params, body, precondition }) {
        if (precondition) {
          await lockCredential(tx, KEY, params.keyId);
          precondition.require(await readKey(tx, params.keyId));
        }
        await changeKey(tx, params.keyId, body);
        const key = await readKey(tx, params.keyId);
        requireHeldScopes(principal, key.scopes);
        return key;
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'adoptSettingsKey',
      path: `${PATH}/:keyId/adopt`,
      scope: 'settings:write',
      console: 'only',
      stepUp: true,
      tag,
      summary: 'Adopt an API key whose person was removed',
      description: 'Enables the key again. You become its owner, and it ends with you.',
      params: ById,
      body: Strict({}),
      data: KeyView,
      async execute(tx, { principal, params }) {
        await adoptCredential(tx, KEY, principal, params.keyId);
        return readKey(tx, params.keyId);
      },
    }),
  ];
}

function writeRoutes(): Route[] {
  return [
    writeRoute({
      method: 'POST',
      operationId: 'createSettingsKey',
      path: PATH,
      scope: 'settings:write',
      console: 'only',
      stepUp: true,
      tag,
      summary: 'Create an API key',
      description:
        'The key is shown only in this response. It ends with its creator, who also owns it unless another owner is given. ' +
        'Another owner must confirm it: until then it acts in the name of its creator.',
      body: KeyBody,
      data: SecretView,
      showsSecret: true,
      async execute(tx, { principal, body }) {
        const { expires, owner = principal.actor, ...facts } = body;
        if (expires !== undefined && !isKeyExpiry(expires))
          throw invalid(
            'bad_format',
            '/expires',
            'must be a date such as 2027-01-31 or a date-time with an offset such as 2027-01-31T12:00:00Z',
          );
        requireHeldScopes(principal, body.scopes);
        const { secret, apiKey, keyId } = await createKey(tx, {
          ...facts,
          owner,
          expires,
          belongsTo: principal.actor,
        });
        return { ...(await readKey(tx, keyId)), secret, apiKey };
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'rotateSettingsKey',
      path: `${PATH}/:keyId/rotate`,
      scope: 'settings:write',
      console: 'only',
      stepUp: true,
      tag,
      summary: 'Rotate an API key',
      description: 'The old key stays valid during the overlap. The new one is shown only in this response.',
      params: ById,
      body: RotationBody,
      data: SecretView,
      showsSecret: true,
      async execute(tx, { principal, params, body }) {
        const { overlapSeconds = OVERLAP_SECONDS_DEFAULT } = body;
        const { secret, apiKey, scopes } = await rotateKey(tx, params.keyId, overlapSeconds);
        requireHeldScopes(principal, scopes);
        return { ...(await readKey(tx, params.keyId)), secret, apiKey };
      },
    }),
    writeRoute({
      method: 'POST',
      operationId: 'revokeSettingsKey',
      path: `${PATH}/:keyId/revoke`,
      scope: 'settings:write',
      tag,
      summary: 'Revoke an API key',
      description: 'The key is refused by every process within a second. Revoking again changes nothing.',
      params: ById,
      body: Strict({}),
      data: KeyView,
      async execute(tx, { params }) {
        await revokeKey(tx, params.keyId);
        return readKey(tx, params.keyId);
      },
    }),
  ];
}
