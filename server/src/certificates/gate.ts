import type { Tx } from '../platform/database/index.js';
import { type Issue, refuseAny } from '../platform/errors/index.js';
import type { Subject } from './certificate.js';
import { judgeBy, keyOf } from './gate.rules.js';
import { readGateRecord } from './gate.store.js';

/** A certificate problem that the gate let through, as stored with the document. */
export type GateWarning = Pick<Issue, 'reason' | 'message'>;

/** Refuses the step of one document with these subjects, or returns the warnings to store with it. */
export type Gate = (subjects: readonly Subject[]) => GateWarning[];

/**
 * Reads the gate of these subjects in one query: each certificate type on record or required needs one in force today that
 * covers the products of the document. The organization decides whether a lack refuses the step or becomes a warning.
 */
export async function readGate(tx: Tx, subjects: readonly Subject[]): Promise<Gate> {
  const distinct = [...new Map(subjects.map((subject) => [keyOf(subject), subject])).values()];
  if (distinct.length === 0) return () => [];
  const { mode, ...facts } = await readGateRecord(tx, distinct);
  const judge = judgeBy(facts, tx.today);
  return (document) => {
    const issues = judge(document);
    if (mode === 'refuse') refuseAny(issues);
    return issues.map(({ reason, message }) => ({ reason, message }));
  };
}

export async function passGate(tx: Tx, subjects: readonly Subject[]): Promise<GateWarning[]> {
  return (await readGate(tx, subjects))(subjects);
}
