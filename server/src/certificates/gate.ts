import type { Tx } from '../platform/database/index.js';
import { type Issue, Refusal } from '../platform/errors/index.js';
import type { Subject } from './certificate.js';
import { type CertificateProblem, findProblems } from './gate.rules.js';
import { readGateRecord } from './gate.store.js';

/** A certificate problem that the gate let through, as stored with the document. */
export type GateWarning = Pick<Issue, 'reason' | 'message'>;

/** Refuses the step of these subjects, or returns the warnings to store with it. */
export type Gate = (subjects: readonly Subject[]) => GateWarning[];

/**
 * Reads the gate of these subjects in one query: each certificate type on record or required needs one in force today. The
 * organization decides whether a lack refuses the step or becomes a warning.
 */
export async function readGate(tx: Tx, subjects: readonly Subject[]): Promise<Gate> {
  const distinct = [...new Map(subjects.map((subject) => [keyOf(subject), subject])).values()];
  if (distinct.length === 0) return () => [];
  const { mode, demanded, certificates } = await readGateRecord(tx, distinct);
  const problems = findProblems(distinct, certificates, demanded, tx.today);
  if (problems.length === 0) return () => [];
  return (asked) => {
    const keys = new Set(asked.map(keyOf));
    const own = problems.filter(({ subject }) => keys.has(keyOf(subject)));
    if (mode === 'refuse' && own.length > 0) throw new Refusal(own.map(({ issue }) => issue));
    return own.map(toWarning);
  };
}

export async function passGate(tx: Tx, subjects: readonly Subject[]): Promise<GateWarning[]> {
  return (await readGate(tx, subjects))(subjects);
}

const keyOf = ({ type, code }: Subject): string => `${type} ${code}`;
const toWarning = ({ issue: { reason, message } }: CertificateProblem): GateWarning => ({ reason, message });
