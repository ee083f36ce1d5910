import { type Database, type Tx, transact } from '../platform/database/index.js';
import { Unavailable } from '../platform/errors/index.js';
import { type Calendar, systemPrincipal } from '../platform/principal.js';
import { importReasons } from './import.errors.js';
import { REFUSALS_STORED_MAX } from './import.js';
import {
  type ClaimedImport,
  claimNextImport,
  dropPart,
  type ImportPart,
  organizationsWithDueImports,
  postponeNext,
  readNextPart,
  saveAdvance,
  saveEnd,
  saveParts,
  saveRefusals,
} from './import.store.js';
import { kindOf, type RowToWrite } from './import-kinds.js';
import type { RefusedRow } from './import-rows.js';
import { mayStill } from './requester.store.js';
import { type Split, splitFile } from './split-file.js';
import { tryRows, writeRows } from './write-rows.js';

const WORKER = 'worker@lotward.invalid';
/** Organizations served side by side: one that waits for a lock delays no other. */
const AT_ONCE = 3;
const LOOK_AGAIN_MS = 1_000;
const ATTEMPTS_MAX = 8;

export interface RunOptions {
  signal?: AbortSignal;
  /** Called for each step that failed; the import is retried later. */
  onError(error: unknown, organization: string): void;
}

type Place = { orgId: string } & Calendar;

/**
 * Carries out due imports until none is left. Organizations take turns of one part each, so a large file of one delays
 * another by a single part. Any number of workers may run concurrently.
 */
export async function runImports(database: Database, options: RunOptions): Promise<void> {
  const queue: Place[] = [];
  const present = new Set<string>();
  let lookedMs = 0;
  const look = async () => {
    lookedMs = performance.now();
    for (const place of await organizationsWithDueImports(database.worker, database.clock.now()))
      if (!present.has(place.orgId)) {
        present.add(place.orgId);
        queue.push(place);
      }
  };
  const serve = async () => {
    for (let place = queue.shift(); place && !options.signal?.aborted; place = queue.shift()) {
      const isMore = await takeTurn(database, place, options);
      if (isMore) queue.push(place);
      else present.delete(place.orgId);
      if (performance.now() - lookedMs > LOOK_AGAIN_MS) await look();
    }
  };
  await look();
  await Promise.all(Array.from({ length: AT_ONCE }, serve));
}

/** Returns whether the organization may have more work now. */
async function takeTurn(database: Database, place: Place, { onError }: RunOptions): Promise<boolean> {
  const principal = systemPrincipal(place.orgId, WORKER, place);
  try {
    const step = await transact(database, principal, performStep);
    if (step === null) return false;
    if (step.unread) {
      // Splitting a large file takes seconds, so no transaction is open meanwhile. If another worker splits it too, one of
      // them saves it.
      const { found, content } = step.unread;
      const split = await splitFile(found, content);
      await transact(database, principal, (tx) => saveSplit(tx, found.importId, split));
    }
    return true;
  } catch (error) {
    onError(error, place.orgId);
    // Without the pause, it would be retried at once when the database is back.
    await transact(database, principal, (tx) => notePause(tx, error instanceof Unavailable)).catch(
      (failure: unknown) => onError(failure, place.orgId),
    );
    return false;
  }
}

/** A lock or an outage passes; any other error that repeats ends the import. */
async function notePause(tx: Tx, isPassing: boolean): Promise<void> {
  const failed = await postponeNext(tx);
  if (!failed || isPassing || failed.attempts < ATTEMPTS_MAX) return;
  saveEnd(tx, failed.importId, 'stopped', {
    reason: 'import_failed',
    message: importReasons.import_failed.meaning,
  });
}

/** The outcome of a step: null if there is nothing to do, or a file that must be split first. */
type Step = { unread?: { found: ClaimedImport; content: string } } | null;

/**
 * One step of the next import: writes one part of its rows. The part is removed and the progress saved in the same
 * transaction, so each row is written once, wherever the process dies.
 */
async function performStep(system: Tx): Promise<Step> {
  const claimed = await claimNextImport(system);
  if (!claimed) return null;
  const { importId, createdBy: actor, credentialId } = claimed;
  // The audit trail has the import's id in place of a request id.
  const tx = system.as({ actor, credentialId, requestId: importId });
  if (!(await mayStill(tx, { ...claimed, actor }, kindOf(claimed.kind).scope))) {
    saveEnd(tx, importId, 'stopped', {
      reason: 'credential_ended',
      message: importReasons.credential_ended.meaning,
    });
    return {};
  }
  const part = await readNextPart(tx, importId);
  if (part?.position === FILE) return { unread: { found: claimed, content: part.content } };
  if (part) await writePart(tx, claimed, part);
  else saveEnd(tx, importId, 'done');
  return {};
}

/** The part with the file as it was sent. */
const FILE = 0;

async function saveSplit(tx: Tx, importId: string, split: Split): Promise<void> {
  const claimed = await claimNextImport(tx);
  // Another worker has split it, or it was cancelled.
  if (claimed?.importId !== importId || claimed.rows !== null) return;
  if ('stopped' in split) {
    saveEnd(tx, importId, 'stopped', split.stopped);
    return;
  }
  saveParts(tx, importId, split.parts);
  if (split.refused.length > 0) saveRefusals(tx, importId, split.refused);
  dropPart(tx, importId, FILE);
  saveAdvance(tx, importId, { rows: split.rows, created: 0, updated: 0, refused: split.refusedCount });
}

async function writePart(tx: Tx, claimed: ClaimedImport, part: ImportPart): Promise<void> {
  const { importId, kind, dryRun, refusedCount, rows } = claimed;
  const work = dryRun ? tryRows : writeRows;
  const { created, updated, refused } = await work(
    tx,
    kindOf(kind),
    JSON.parse(part.content) as RowToWrite[],
  );
  storeRefusals(tx, importId, refused, refusedCount);
  dropPart(tx, importId, part.position);
  saveAdvance(tx, importId, { rows: rows ?? 0, created, updated, refused: refused.length });
}

function storeRefusals(tx: Tx, importId: string, refused: readonly RefusedRow[], before: number): void {
  const kept = refused.slice(0, Math.max(0, REFUSALS_STORED_MAX - before));
  if (kept.length > 0) saveRefusals(tx, importId, kept);
}
