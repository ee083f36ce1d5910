import { useWords } from '../../app/language.js';
import type { Webhook } from './webhook-form.js';
import { webhookWords } from './webhook-words.js';

/** The name of the credential or person that owns a webhook. */
export function useOwnerName(): (owner: Webhook['owner']) => string {
  const words = useWords(webhookWords);
  return ({ kind, name, onBehalfOf }) => {
    if (kind === 'organization' || name === null) return words.ownerOrganization;
    if (kind === 'key') return words.ownerKey(name);
    if (kind === 'user') return name;
    return onBehalfOf === null ? words.ownerClient(name) : words.ownerClientFor(name, onBehalfOf);
  };
}
