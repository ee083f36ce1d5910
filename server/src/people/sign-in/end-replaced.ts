import { recordAudit } from '../../audit/index.js';
import { transact } from '../../platform/database/index.js';
import { removeSession } from './session.store.js';
import { sessionResolver } from './session-resolver.js';
import type { SignInContext } from './sign-in-context.js';

/** Ends the previous session of a browser: its cookie is replaced, and a copy of the old token must not stay valid. */
export async function endReplacedSession(
  { database }: SignInContext,
  token: string | null,
  requestId: string,
): Promise<void> {
  const judged = token === null ? null : await sessionResolver(database.reader, database.clock)(token);
  const principal = judged?.credential?.principal;
  if (!principal?.session) return;
  const { userId, sessionId } = principal.session;
  await transact(
    database,
    principal,
    async (tx) => {
      if (await removeSession(tx, userId, sessionId))
        await recordAudit(tx, { action: 'session.end', entityType: 'session', entityId: sessionId });
    },
    { requestId },
  );
}
