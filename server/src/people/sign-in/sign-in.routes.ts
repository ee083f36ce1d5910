import type { SessionCookie } from '../../access/index.js';
import type { Database } from '../../platform/database/index.js';
import type { Route } from '../../platform/http/index.js';
import type { Limiter } from '../../platform/rate-limit/index.js';
import type { SecretBox } from '../../platform/secrets/index.js';
import { accountRoutes } from './account.routes.js';
import { deviceCookie } from './device.js';
import { linkRoutes } from './link.routes.js';
import { sessionRoutes } from './session.routes.js';
import type { SignInContext } from './sign-in-context.js';

export interface ConsoleOptions {
  box: SecretBox;
  cookie: SessionCookie;
  /** The address of the console. */
  url: () => string;
  /** Counts refused callers by address. */
  limiter: Limiter;
  /** Cookies are sent over https only. */
  secure: boolean;
  /** No mail leaves this installation. */
  handsOverLinks?: boolean;
}

export const signInContext = (
  database: Database,
  { box, limiter, url, secure }: ConsoleOptions,
): SignInContext => ({
  database,
  box,
  limiter,
  devices: deviceCookie(secure, box),
  mailing: { box, url },
});

/** Signing in and out, the second factor, one's own sessions, invitations and resets. */
export function signInRoutes(database: Database, options: ConsoleOptions): Route[] {
  const context = signInContext(database, options);
  return [
    ...sessionRoutes(context, options.cookie),
    ...accountRoutes(context, options.cookie),
    ...linkRoutes(context, options.cookie),
  ];
}
