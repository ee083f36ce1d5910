import { recordAudit } from '../audit/index.js';
import { queueMail } from '../mailing/index.js';
import { listAdministrators } from '../people/index.js';
import type { Tx } from '../platform/database/index.js';
import type { StoredCredential } from './credential.js';
import { onCredentialEnded } from './credential-hooks.js';
import { CLIENT, type CredentialType, KEY } from './credential-lifecycle.js';

/**
 * Disables the keys and OAuth clients of a person who was removed, and notifies the administrators. Credentials of the
 * organization continue, also those that the person owns.
 */
export async function disableCredentialsOf(tx: Tx, person: { userId: string; email: string }): Promise<void> {
  const lines = [
    ...(await disable(tx, KEY, 'API key', person.email)),
    ...(await disable(tx, CLIENT, 'OAuth client', person.email)),
  ];
  const administrators = (await listAdministrators(tx)).filter((email) => email !== person.email);
  if (lines.length === 0 || administrators.length === 0) return;
  await queueMail(tx, {
    dedupeKey: `owner_ended:${person.userId}:${tx.now.toISOString()}`,
    to: administrators,
    subject: `Credentials disabled: ${person.email} was removed`,
    text: [
      `${person.email} was removed from your organization. These credentials belonged to them and are refused from now on:`,
      '',
      ...lines,
      '',
      'If a system still needs one, adopt it in the console under Settings, API management: it then works again, in your name.',
      'Revoke the others.',
    ].join('\n'),
  });
}

async function disable<C extends StoredCredential>(
  tx: Tx,
  type: CredentialType<C>,
  word: string,
  email: string,
): Promise<string[]> {
  const disabled = await type.store.disableOf(tx, email);
  for (const { id } of disabled) {
    await onCredentialEnded(tx, type.name, id);
    await recordAudit(tx, {
      action: `${type.name}.disable`,
      entityType: type.entityType,
      entityId: id,
      after: { disabledAt: tx.now, disabledReason: 'owner_ended' },
    });
  }
  return disabled.map(({ id, name }) => `- ${word} ${id}: ${name}`);
}
