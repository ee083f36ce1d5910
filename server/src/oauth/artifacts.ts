import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database } from '../platform/database/index.js';
import { hashToken } from '../platform/secrets/index.js';
import {
  consumeArtifact,
  endGrant,
  findArtifact,
  grantOfArtifact,
  removeArtifact,
  saveArtifact,
} from './artifact.store.js';

/** Keeps nothing: who signs in is said by the session of the console, never by one of the provider. */
export const nothingKept: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/**
 * The provider's memory. An id is what its holder shows, so only its hash is kept and it is left out of the payload.
 * What has expired by our clock is not found.
 */
export function artifactsOf(
  database: Database,
  model: string,
  alreadyUsed: (message: string) => Error,
): Adapter {
  const { app, clock } = database;
  return {
    ...nothingKept,
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
      // A used one does not expire before its grant: using it again must end that.
      return artifact.consumed ? { ...payload, consumed: true, exp: undefined } : payload;
    },
    async consume(id) {
      const idHash = hashToken(id);
      if (await consumeArtifact(app, model, idHash, clock.now())) return;
      const grantHash = await grantOfArtifact(app, model, idHash);
      if (grantHash) await endGrant(app, grantHash);
      throw alreadyUsed('it was used before');
    },
    destroy: (id) => removeArtifact(app, model, hashToken(id)),
    revokeByGrantId: (grantId) => endGrant(app, hashToken(grantId)),
  };
}

/** An interaction also names itself in the address it returns to. */
function withoutId(id: string, { jti: _jti, ...payload }: AdapterPayload): Record<string, unknown> {
  const { returnTo } = payload;
  return returnTo?.endsWith(id) ? { ...payload, returnTo: returnTo.slice(0, -id.length) } : payload;
}

function withId(id: string, payload: AdapterPayload): AdapterPayload {
  const { returnTo } = payload;
  return { ...payload, jti: id, ...(returnTo === undefined ? {} : { returnTo: returnTo + id }) };
}
