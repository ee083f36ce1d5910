import type { Organization } from '../organizations/index.js';
import type { Tx } from '../platform/database/index.js';
import { type Issue, refuseAny } from '../platform/errors/index.js';
import type { Subject } from './certificate.js';
import { type GateCertificate, type GateIssue, isInForce, judgeBy, keyOf } from './gate.rules.js';
import { readGateRecord } from './gate.store.js';

/** A certificate problem that the gate let through, as stored with the document. */
export type GateWarning = Pick<Issue, 'reason' | 'message'>;

const distinctOf = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(subjects.map((subject) => [keyOf(subject), subject])).values(),
];

/** Refuses the step of one document with these subjects, or returns the warnings to store with it. */
export type Gate = (subjects: readonly Subject[]) => GateWarning[];

/**
 * Reads the gate of these subjects in one query: each certificate type on record or required needs one in force today that
 * covers the products of the document. The organization decides whether a lack refuses the step or becomes a warning.
 */
export async function readGate(tx: Tx, subjects: readonly Subject[]): Promise<Gate> {
  const distinct = distinctOf(subjects);
  if (distinct.length === 0) return () => [];
  const { mode, ...facts } = await readGateRecord(tx, distinct);
  const judge = judgeBy(facts, tx.today);
  return (document) => {
    const issues = judge(document);
    if (mode === 'refuse') refuseAny(issues.map(({ path, reason, message }) => ({ path, reason, message })));
    return issues.map(({ reason, message }) => ({ reason, message }));
  };
}

/** The findings of the gate about one subject. */
interface GateReview {
  subject: Subject;
  inForce: Pick<GateCertificate, 'certificateNo' | 'type' | 'validTo'>[];
  issues: Pick<GateIssue, 'reason' | 'message' | 'certificateType' | 'productCode'>[];
}

/** Judges a document with these subjects without refusing it. */
export async function reviewGate(
  tx: Tx,
  subjects: readonly Subject[],
): Promise<{ gate: Organization['certificateGate']; subjects: GateReview[] }> {
  const distinct = distinctOf(subjects);
  const { mode, ...facts } = await readGateRecord(tx, distinct);
  const issues = judgeBy(facts, tx.today)(distinct);
  return {
    gate: mode,
    subjects: distinct.map((subject) => ({
      subject,
      inForce: facts.certificates
        .filter((each) => each.subjectType === subject.type && each.subjectCode === subject.code)
        .filter((each) => isInForce(each, tx.today))
        .map(({ certificateNo, type, validTo }) => ({ certificateNo, type, validTo })),
      issues: issues
        .filter((issue) => keyOf(issue.subject) === keyOf(subject))
        .map(({ reason, message, certificateType, productCode }) => ({
          reason,
          message,
          certificateType,
          productCode,
        })),
    })),
  };
}

export async function passGate(tx: Tx, subjects: readonly Subject[]): Promise<GateWarning[]> {
  return (await readGate(tx, subjects))(subjects);
}
