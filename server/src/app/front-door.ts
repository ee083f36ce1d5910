import { Server as TlsServer } from 'node:https';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { openCredentialCache, sessionCookie } from '../access/index.js';
import { keyResolver, openCredentialUse } from '../credentials/index.js';
import { oauthResolver, openAccessTokens, openKeyring } from '../oauth/index.js';
import { sessionResolver } from '../people/index.js';
import type { Database } from '../platform/database/index.js';
import type { SecretBox } from '../platform/secrets/index.js';

interface FrontDoorOptions {
  database: Database;
  box: SecretBox;
  logger: FastifyBaseLogger;
  tls?: object | null;
  trustedProxies?: readonly string[];
  publicUrl?: string | null;
  monotonicMs: () => number;
}

/** Everything that resolves credentials: keys, tokens and sessions. */
export function openFrontDoor(app: FastifyInstance, options: FrontDoorOptions) {
  const { database, logger, monotonicMs } = options;
  const origin = () => options.publicUrl?.replace(/\/$/, '') ?? listeningOrigin(app);
  const issuer = { origin, fixed: Boolean(options.publicUrl) };
  const secure = Boolean(options.tls) || (options.trustedProxies ?? []).length > 0;
  const keyring = openKeyring(options, monotonicMs);
  const tokens = openAccessTokens(database, keyring, issuer);
  const credentials = openCredentialCache(
    [
      keyResolver(database.reader, database.clock),
      sessionResolver(database.reader, database.clock),
      oauthResolver(tokens),
    ],
    database.clock,
    monotonicMs,
  );
  const use = openCredentialUse(database.worker, database.clock, (error) =>
    logger.warn({ err: error }, 'credential use not recorded'),
  );
  return {
    issuer,
    secure,
    keyring,
    tokens,
    credentials,
    use,
    cookie: sessionCookie(secure),
    async close() {
      credentials.close();
      await use.close();
    },
  };
}

/** Called only while a request is handled, so the server listens. */
function listeningOrigin(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${app.server instanceof TlsServer ? 'https' : 'http'}://${host}:${address.port}`;
}
