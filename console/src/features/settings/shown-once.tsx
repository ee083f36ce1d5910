import type { Data } from '@lotward/client';
import { useWords } from '../../app/language.js';
import { ShownOnce } from '../../ui/shown-once.js';
import { apiWords } from './api-words.js';

export type MadeKey = Data<'/v2/settings/keys', 'post'>;
export type MadeClient = Data<'/v2/settings/clients', 'post'>;

/** A key pair, and a first call with it. */
export function ShownKey({ made, onKept }: { made: MadeKey | null; onKept: () => void }) {
  const words = useWords(apiWords);
  return (
    <ShownOnce
      opened={made !== null}
      title={words.once}
      hint={`${words.onceHint} ${words.whichPart}`}
      kept={words.kept}
      onKept={onKept}
      secrets={
        made
          ? [
              [words.apiKey, made.apiKey],
              [words.keyId, made.keyId],
              [words.secret, made.secret],
              [words.tryIt, `curl -H 'Authorization: Bearer ${made.apiKey}' ${location.origin}/v2/whoami`],
            ]
          : []
      }
    />
  );
}

export function ShownClient({ made, onKept }: { made: MadeClient | null; onKept: () => void }) {
  const words = useWords(apiWords);
  return (
    <ShownOnce
      opened={made !== null}
      title={words.once}
      hint={words.onceHint}
      kept={words.kept}
      onKept={onKept}
      secrets={
        made
          ? [
              [words.clientId, made.clientId],
              [words.clientSecret, made.clientSecret],
              [
                words.tryIt,
                `curl -u '${made.clientId}:${made.clientSecret}' -d grant_type=client_credentials ${location.origin}/oauth/token`,
              ],
            ]
          : []
      }
    />
  );
}
