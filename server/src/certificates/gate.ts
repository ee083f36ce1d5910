import type { Organization } from '../organizations/index.js';
import type { Tx } from '../platform/database/index.js';
import { type Issue, refuseAny } from '../platform/errors/index.js';
import type { Subject } from './certificate.js';
import { type GateCertificate, type GateIssue, isInForce, judgeBy, keyOf } from './gate.rules.js';
import { type DocumentSubjects, type GateRecord, gateRecordReader, readGateRecord } from './gate.store.js';

/** A certificate problem that the gate let through, as stored with the document. */
export type GateWarning = Pick<Issue, 'reason' | 'message'>;

const distinctOf = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(subjects.map((subject) => [keyOf(subject), subject])).values(),
];

/** Refuses the step of one document with these subjects, or returns the warnings to store with it. */
export type Gate = (subjects: readonly Subject[]) => GateWarning[];

/**
 * Reads the gate of documents in one query: each certificate type on record or required needs one in force today that covers the
 * products of the document. The organization decides whether a lack refuses the step or becomes a warning. SQL selects the subjects,
 * so that the query is sent together with the lock of the documents.
 */
export function gateReader(
  subjects: DocumentSubjects,
): (tx: Tx, values: readonly unknown[]) => Promise<Gate> {
  const readRecord = gateRecordReader(subjects);
  return async (tx, values) => gateOf(tx, await readRecord(tx, values));
}

function gateOf(tx: Tx, { mode, ...facts }: GateRecord): Gate {
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
