import type { Data } from '@lotward/client';
import { useWords } from '../../app/language.js';
import { ShownOnce } from '../../ui/shown-once.js';
import { webhookWords } from './webhook-words.js';

export type MadeWebhook = Data<'/v2/webhooks', 'post'>;

/** The form for Standard Webhooks libraries is shown only if it differs. */
const secretsOf = (
  { secret, standardWebhooksSecret }: MadeWebhook,
  words: { secret: string; standardSecret: string },
): [string, string][] => [
  [words.secret, secret],
  ...(standardWebhooksSecret === secret
    ? []
    : [[words.standardSecret, standardWebhooksSecret] as [string, string]]),
];

export function ShownSecret({ made, onKept }: { made: MadeWebhook | null; onKept: () => void }) {
  const words = useWords(webhookWords);
  return (
    <ShownOnce
      opened={made !== null}
      title={words.once}
      hint={words.onceHint}
      kept={words.kept}
      secrets={made ? secretsOf(made, words) : []}
      onKept={onKept}
    />
  );
}
