import type { Tx } from '../platform/database/index.js';
import { type Issue, Refusal } from '../platform/errors/index.js';
import type { Subject } from './certificate.js';
import { type CertificateProblem, problemsOf } from './gate.rules.js';
import { readGateRecord } from './gate.store.js';

/** What stood against a step and was let through, as its document keeps it. */
export type GateWarning = Pick<Issue, 'reason' | 'message'>;

/** Refuses the step of these subjects, or answers the warnings it happens with. */
export type Gate = (subjects: readonly Subject[]) => GateWarning[];

/**
 * The gate of all these subjects, read at once: every certificate type on record or demanded needs one in force today.
 * Whether the lack of one stops a step or is noted with it is for the organization to say.
 */
export async function readGate(tx: Tx, subjects: readonly Subject[]): Promise<Gate> {
  const distinct = [...new Map(subjects.map((subject) => [keyOf(subject), subject])).values()];
  if (distinct.length === 0) return () => [];
  const { mode, demanded, certificates } = await readGateRecord(tx, distinct);
  const problems = problemsOf(distinct, certificates, demanded, tx.today);
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
