import type { Database } from '../../platform/database/index.js';
import type { Route } from '../../platform/http/index.js';
import type { Limiter } from '../../platform/rate-limit/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import { accountRoutes } from './account.routes.js';
import { deviceCookie } from './device.js';
import type { Door } from './door.js';
import { linkRoutes } from './link.routes.js';
import { sessionRoutes } from './session.routes.js';
import type { SessionCookie } from './session-token.js';

export interface ConsoleOptions {
  box: SecretBox;
  cookie: SessionCookie;
  /** Where people find the console. */
  url: () => string;
  /** Counts those who are refused, by address. */
  limiter: Limiter;
  /** Cookies leave over https only. */
  secure: boolean;
}

export const doorOf = (database: Database, { box, limiter, url, secure }: ConsoleOptions): Door => ({
  database,
  box,
  limiter,
  devices: deviceCookie(secure, box),
  mailing: { box, url },
});

/** Signing in and out, the second factor, one's own sessions, invitations and resets. */
export function peopleRoutes(database: Database, options: ConsoleOptions): Route[] {
  const door = doorOf(database, options);
  return [
    ...sessionRoutes(door, options.cookie),
    ...accountRoutes(door, options.cookie),
    ...linkRoutes(door, options.cookie),
  ];
}
