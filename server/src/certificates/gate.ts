import type { Tx } from '../platform/database/index.js';
import { type Issue, Refusal } from '../platform/errors/index.js';

/** Whose certificates a step depends on. */
export interface Subject {
  type: 'supplier' | 'product' | 'customer';
  code: string;
}

export interface CertificateProblem {
  subject: Subject;
  issue: Issue;
}

/**
 * What stands against a step: every certificate type on record for a subject needs one in force today. The register
 * of certificates is not part of the service yet; with nothing on record nothing is gated. Every step that is gated
 * asks here.
 */
export async function certificateProblems(
  _tx: Tx,
  _subjects: readonly Subject[],
): Promise<CertificateProblem[]> {
  return [];
}

export async function requireCertificatesInForce(tx: Tx, subjects: readonly Subject[]): Promise<void> {
  const problems = await certificateProblems(tx, subjects);
  if (problems.length > 0) throw new Refusal(problems.map((problem) => problem.issue));
}
