import { type Database, type Tx, transact } from '../platform/database/index.js';
import { Unavailable } from '../platform/errors/index.js';
import { Failures } from '../platform/failures.js';
import { systemPrincipal } from '../platform/principal.js';
import type { IndexSource, Kind } from './entry.js';
import {
  type Head,
  organizationsToFill,
  organizationsWithMarks,
  readEntries,
  readMarks,
  removeEntries,
  removeMarks,
  saveHead,
  takeHeads,
  writeEntries,
} from './entry.store.js';
import { bodyOf } from './grams.rules.js';

/** Few enough that computing their grams hardly delays the pushes of this process. */
const BATCH = 100;
/** As many as a search indexes before it runs, without making its caller wait. */
const BATCH_OF_SEARCH = 200;
/** How long a search waits while another process indexes records: seldom more than some milliseconds. */
const WAIT_OF_SEARCH_MS = 1_000;
/** A worker soon has its next turn, and other organizations to serve. */
const WAIT_OF_WORKER_MS = 200;
const INDEXER = 'indexer@lotward.invalid';

/**
 * Indexes the most recently marked records, so that a search finds what was written before it. Returns whether these were
 * all.
 */
export async function indexBeforeSearch(
  database: Database,
  orgId: string,
  sources: readonly IndexSource[],
): Promise<boolean> {
  const indexer = systemPrincipal(orgId, INDEXER);
  const isMore = await transact(database, indexer, (tx) => indexMarked(tx, sources, BATCH_OF_SEARCH), {
    lockMs: WAIT_OF_SEARCH_MS,
  }).catch(unlessLocked);
  return isMore === false;
}

/** Another process is indexing the records of the organization. */
function unlessLocked(error: unknown): null {
  if (error instanceof Unavailable && error.reason === 'record_locked') return null;
  throw error;
}

/** Indexes all marked records. An organization that fails does not keep the others from their turn. */
export async function indexEverywhere(
  database: Database,
  sources: readonly IndexSource[],
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  await forEachOrganization(database, await organizationsWithMarks(database.worker), options, (tx) =>
    indexMarked(tx, sources, BATCH),
  );
}

/** Indexes records from before marks existed, batch by batch. A worker that dies stops between two batches. */
export async function fillEverywhere(
  database: Database,
  sources: readonly IndexSource[],
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  await forEachOrganization(
    database,
    await organizationsToFill(database.worker, sources.length),
    options,
    (tx) => fillNext(tx, sources),
  );
}

/**
 * `step` returns whether there is more to do. An organization that another process is indexing is left until the next turn.
 */
async function forEachOrganization(
  database: Database,
  orgIds: readonly string[],
  { signal }: { signal?: AbortSignal },
  step: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  const failures = new Failures();
  for (const orgId of orgIds) {
    const indexer = systemPrincipal(orgId, INDEXER);
    await failures.attempt(async () => {
      const takeStep = () =>
        transact(database, indexer, step, { lockMs: WAIT_OF_WORKER_MS }).catch(unlessLocked);
      while (!signal?.aborted && (await takeStep()));
    });
  }
  failures.throwAny((count) => `the records of ${count} organizations could not be indexed`);
}

/** Returns whether there may be more. */
async function indexMarked(tx: Tx, sources: readonly IndexSource[], limit: number): Promise<boolean> {
  const heads = await takeHeads(tx, kindsOf(sources));
  // Marks are read after the lock, and records after the marks, so a record whose mark is visible is committed.
  const marks = await readMarks(tx, limit);
  if (marks.length === 0) return false;
  for (const source of sources) {
    const keys = marks.filter(({ kind }) => kind === source.kind).map(({ key }) => key);
    if (keys.length > 0) saveHead(tx, await enter(tx, source, headOf(heads, source.kind), keys));
  }
  removeMarks(tx, marks);
  return marks.length === limit;
}

async function fillNext(tx: Tx, sources: readonly IndexSource[]): Promise<boolean> {
  const heads = await takeHeads(tx, kindsOf(sources));
  const source = sources.find(({ kind }) => heads.get(kind)?.isFilled === false);
  if (!source) return false;
  const head = headOf(heads, source.kind);
  const keys = await source.keysAfter(tx, head.filledThrough, BATCH);
  const entered = await enter(tx, source, head, keys);
  const filledThrough = keys.at(-1) ?? head.filledThrough;
  saveHead(tx, { ...entered, filledThrough, isFilled: keys.length < BATCH });
  return true;
}

const kindsOf = (sources: readonly IndexSource[]): Kind[] => sources.map(({ kind }) => kind);

function headOf(heads: ReadonlyMap<Kind, Head>, kind: Kind): Head {
  const head = heads.get(kind);
  if (!head) throw new Error(`head of ${kind} entries not created`);
  return head;
}

/** Writes the entries of these records. One that has an entry keeps its position. Returns the head after them. */
async function enter(tx: Tx, source: IndexSource, head: Head, given: readonly string[]): Promise<Head> {
  const keys = [...new Set(given)];
  if (keys.length === 0) return head;
  const [records, known] = await Promise.all([source.read(tx, keys), readEntries(tx, source.kind, keys)]);
  const byKey = new Map(records.map((record) => [record.key, record]));
  let { position } = head;
  // In the order of their marks, which is the order of creation.
  const changed = keys.flatMap((key) => {
    const record = byKey.get(key);
    const entry = known.get(key);
    if (!record || entry?.body === bodyOf(record)) return [];
    return [{ ...record, position: entry?.position ?? ++position }];
  });
  writeEntries(tx, source.kind, changed);
  removeEntries(
    tx,
    source.kind,
    [...known.keys()].filter((key) => !byKey.has(key)),
  );
  return { ...head, position };
}
