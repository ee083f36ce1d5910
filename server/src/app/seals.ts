import { sealedMails } from '../mailing/index.js';
import { sealedSigningKeys } from '../oauth/index.js';
import { listOrganizations } from '../organizations/index.js';
import { sealedFactors } from '../people/index.js';
import type { Database } from '../platform/database/index.js';
import { sealedAnswers } from '../platform/http/index.js';
import {
  type ResealedKind,
  type ResealOptions,
  reportSeals,
  resealRows,
  type SealReport,
} from '../platform/sealed-rows/index.js';
import type { SecretBox } from '../platform/secrets/index.js';
import { sealedWebhookHeaders, sealedWebhookSecrets } from '../webhooks/index.js';

/** All sealed data except the passwords of the database roles, which migration seals again. */
const KINDS = [
  sealedWebhookSecrets,
  sealedWebhookHeaders,
  sealedFactors,
  sealedSigningKeys,
  sealedMails,
  sealedAnswers,
];

export interface SealStore {
  database: Database;
  box: SecretBox;
}

export const reportAllSeals = ({ database, box }: SealStore): Promise<SealReport[]> =>
  reportSeals(database, box, KINDS);

/** Seals all stale data again. */
export async function resealAll(
  { database, box }: SealStore,
  options: Omit<ResealOptions, 'orgIds'> = {},
): Promise<ResealedKind[]> {
  const orgIds = (await listOrganizations(database.reader)).map(({ orgId }) => orgId);
  const resealed: ResealedKind[] = [];
  for (const kind of KINDS) resealed.push(await resealRows(database, box, kind, { ...options, orgIds }));
  return resealed;
}

/** One line for each kind and key whose seals cannot be opened. */
export const describeLost = (reports: readonly SealReport[]): string[] =>
  reports
    .filter(({ state }) => state === 'lost')
    .map(
      ({ kind, keyId, count }) =>
        `${count} ${kind} are sealed under key ${keyId}, which LOTWARD_SECRET_KEY does not contain: they cannot be used.`,
    );
