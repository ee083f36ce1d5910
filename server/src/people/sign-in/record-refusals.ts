import { recordAudit } from '../../audit/index.js';
import { type Database, type SweepOptions, sweepOrganizations } from '../../platform/database/index.js';
import { ApiError } from '../../platform/errors/index.js';
import {
  closedBefore,
  countRefusal,
  organizationsWithRefusals,
  type Refusal,
  type RefusedSignIns,
  type RefusedStep,
  takeRefusals,
  takeUnknownRefusals,
} from './refusals.store.js';
import { transactAs } from './sign-in-context.js';

const STEPS: Readonly<Record<string, RefusedStep>> = {
  sign_in_refused: 'password',
  code_refused: 'code',
  password_wrong: 'confirmation',
};

/** Counts a refusal for the audit after the refusing transaction was rolled back. */
export async function notingRefusals<T>(
  database: Database,
  who: { orgId: string | null; requestId: string } & Omit<Refusal, 'step'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const step = error instanceof ApiError ? STEPS[error.issues[0]?.reason ?? ''] : undefined;
    if (step) await transactAs(database, who, (tx) => countRefusal(tx, { ...who, step }));
    throw error;
  }
}

/** Sign-ins refused for unknown accounts, which belong in no organization's audit trail. */
export interface UnknownRefusals {
  from: string;
  refused: number;
  addresses: string[];
}

/**
 * Writes the refused sign-ins of closed windows into the audit, one entry per account and window, and returns those of
 * unknown accounts, one per window. Safe to run concurrently.
 */
export async function recordRefusedSignIns(
  database: Database,
  options: SweepOptions = {},
): Promise<UnknownRefusals[]> {
  const until = closedBefore(database.clock.now());
  const orgIds = await organizationsWithRefusals(database.worker, until);
  await sweepOrganizations(
    database,
    orgIds,
    async (tx, rowsMax) => {
      const refusals = await takeRefusals(tx, until, rowsMax);
      await recordAudit(tx, ...refusals.map(toRecord));
      return refusals.length;
    },
    options,
  );
  const windows = new Map<string, UnknownRefusals>();
  for (const { windowStart, refused, addresses } of await takeUnknownRefusals(database.worker, until)) {
    const from = windowStart.toISOString();
    const window = windows.get(from) ?? { from, refused: 0, addresses: [] };
    windows.set(from, {
      from,
      refused: window.refused + refused,
      addresses: [...new Set([...window.addresses, ...addresses])].slice(0, LOGGED_ADDRESSES_MAX),
    });
  }
  return [...windows.values()];
}

const LOGGED_ADDRESSES_MAX = 20;

const toRecord = ({ userId, firstAt, lastAt, ...counts }: RefusedSignIns) => ({
  action: 'session.refuse',
  entityType: 'user',
  entityId: userId,
  after: { ...counts, firstAt: firstAt.toISOString(), lastAt: lastAt.toISOString() },
});
