import { type Database, transact } from '../../platform/database/index.js';
import { systemPrincipal } from '../../platform/principal.js';
import { isUsable, listMemberships } from '../membership.store.js';
import { onSignInChanged } from '../people.hooks.js';
import { removeEarlierLinks } from './link.store.js';
import { removeEarlierSessions } from './session.store.js';

/**
 * Removes what a change of the account ended in the person's other organizations, so that lists show only valid entries. The
 * new generation has already ended it: if this fails or the process dies, the worker removes it.
 */
export async function endElsewhere(
  database: Database,
  person: { orgId: string; email: string; generation: number; requestId: string | null },
): Promise<void> {
  const { email, generation, requestId } = person;
  const all = await listMemberships(database.reader, email).catch(() => []);
  for (const { orgId, userId } of all.filter((each) => isUsable(each) && each.orgId !== person.orgId))
    await transact(
      database,
      systemPrincipal(orgId, email),
      async (tx) => {
        await removeEarlierSessions(tx, userId, generation);
        await removeEarlierLinks(tx, userId, generation);
        await onSignInChanged(tx, { userId, email, before: generation });
      },
      { requestId },
    ).catch(() => undefined);
}
