import { recordAudit } from '../audit/index.js';
import type { Tx } from '../platform/database/index.js';
import { missing } from '../platform/errors/index.js';
import { withinAccount } from './account.store.js';
import { refusePerson } from './people.errors.js';
import { onSignInChanged } from './people.hooks.js';
import { mailNotice } from './people-mails.js';
import { clearTotp } from './sign-in/factor.store.js';
import { removeLinks } from './sign-in/link.store.js';
import { removeSessionsExcept } from './sign-in/session.store.js';
import { lockMember, readMemberByEmail } from './user.store.js';

/**
 * Called by the operator, who has verified the person's identity. Ends the sessions of the person in every organization;
 * returns the new generation of the account.
 */
export async function resetSecondFactor(tx: Tx, email: string): Promise<number> {
  const known = await readMemberByEmail(tx, email.toLowerCase());
  const member = known && (await lockMember(tx, known.userId));
  if (member?.status !== 'active') throw missing('user', 'email');
  if (!member.secondFactor) throw refusePerson('no_second_factor', null);
  const { userId } = member;
  const generation = await withinAccount(tx, member.email, () => clearTotp(tx, member.email));
  await removeLinks(tx, userId);
  await removeSessionsExcept(tx, userId, '');
  await onSignInChanged(tx, member);
  await mailNotice(tx, 'second_factor_removed', member, null);
  await recordAudit(tx, { action: 'user.reset_second_factor', entityType: 'user', entityId: userId });
  return generation;
}
