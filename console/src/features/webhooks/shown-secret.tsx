import type { Data } from '@lotward/client';
import { useWords } from '../../app/language.js';
import { ShownOnce } from '../../ui/shown-once.js';
import { webhookWords } from './webhook-words.js';

export type MadeWebhook = Data<'/v2/webhooks', 'post'>;

export function ShownSecret({ made, onKept }: { made: MadeWebhook | null; onKept: () => void }) {
  const words = useWords(webhookWords);
  return (
    <ShownOnce
      opened={made !== null}
      title={words.once}
      hint={words.onceHint}
      kept={words.kept}
      secrets={made ? [[words.secret, made.secret]] : []}
      onKept={onKept}
    />
  );
}
