import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database } from '../platform/database/index.js';
import { hashToken } from '../platform/secrets/index.js';
import {
  consumeArtifact,
  findArtifact,
  grantOfArtifact,
  removeArtifact,
  saveArtifact,
} from './artifact.store.js';
import { endGrant } from './end-grants.js';

/** Stores nothing: the console session identifies people, never a session of the provider. */
export const emptyAdapter: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/**
 * The storage of the provider. An id is a bearer secret, so only its hash is stored and the payload omits it.
 * Artifacts that have expired by the database clock are not found.
 */
export function artifactsOf(
  database: Database,
  model: string,
  alreadyUsed: (message: string) => Error,
): Adapter {
  const { app, clock } = database;
  return {
    ...emptyAdapter,
    async upsert(id, payload, expiresIn = 0) {
      const { grantId, clientId } = payload;
      const kept = await saveArtifact(app, {
        model,
        idHash: hashToken(id),
        payload: withoutId(id, payload),
        clientId: clientId ?? null,
        grantHash: grantId === undefined ? null : hashToken(grantId),
        expiresAt: new Date(clock.now().getTime() + expiresIn * 1000),
      });
      if (!kept) throw alreadyUsed('the grant has ended');
    },
    async find(id) {
      const artifact = await findArtifact(app, model, hashToken(id), clock.now());
      if (!artifact) return undefined;
      const payload = withId(id, artifact.payload);
      // A used code or token lives as long as its grant, so that a second use is detected and ends the grant.
      return artifact.consumed ? { ...payload, consumed: true, exp: undefined } : payload;
    },
    async consume(id) {
      const idHash = hashToken(id);
      if (await consumeArtifact(app, model, idHash, clock.now())) return;
      const grantHash = await grantOfArtifact(app, model, idHash);
      if (grantHash) await endGrant(database, grantHash);
      throw alreadyUsed('it was used before');
    },
    // The provider calls both revokeByGrantId and this for a grant: whichever comes first must end everything issued under
    // it.
    destroy: (id) =>
      model === 'Grant' ? endGrant(database, hashToken(id)) : removeArtifact(app, model, hashToken(id)),
    revokeByGrantId: (grantId) => endGrant(database, hashToken(grantId)),
  };
}

/** The id of an interaction is also the last part of its `returnTo`. */
function withoutId(id: string, { jti: _jti, ...payload }: AdapterPayload): Record<string, unknown> {
  const { returnTo } = payload;
  return returnTo?.endsWith(id) ? { ...payload, returnTo: returnTo.slice(0, -id.length) } : payload;
}

function withId(id: string, payload: AdapterPayload): AdapterPayload {
  const { returnTo } = payload;
  return { ...payload, jti: id, ...(returnTo === undefined ? {} : { returnTo: returnTo + id }) };
}
