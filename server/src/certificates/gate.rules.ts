import type { DemandedCertificate } from '../organizations/index.js';
import type { Issue } from '../platform/errors/index.js';
import type { Certificate, Subject } from './certificate.js';
import { statusOn } from './certificate.rules.js';
import type { CoverageTraits } from './coverage.js';
import { coversProduct, traitsText } from './coverage.rules.js';

/** The fields of a certificate that the gate needs. */
export type GateCertificate = Pick<
  Certificate,
  | 'subjectType'
  | 'subjectCode'
  | 'type'
  | 'certificateNo'
  | 'state'
  | 'validFrom'
  | 'validTo'
  | 'supersededFrom'
  | 'coverage'
>;

/** The record of the subjects of documents, and the certificates that the organization requires. */
export interface GateFacts {
  demanded: readonly DemandedCertificate[];
  certificates: readonly GateCertificate[];
  /** The products among the subjects; may be empty if no certificate restricts what it covers. */
  products: readonly CoverageTraits[];
}

/** A lack of one subject; `productCode` is the product that its certificates do not cover. */
export interface GateIssue extends Issue {
  subject: Subject;
  certificateType: string;
  productCode: string | null;
}

/** Certificates of one type of which one must cover a product. */
interface Restriction {
  type: string;
  inForce: readonly GateCertificate[];
}

/** Issues of a subject with any products, and restrictions that depend on the products. */
interface SubjectJudgement {
  lacking: GateIssue[];
  restrictions: Restriction[];
}

export function isInForce(certificate: GateCertificate, today: string): boolean {
  const { state, validFrom, validTo, supersededFrom } = certificate;
  // Counts until its renewal begins, so that an early renewal leaves no gap.
  const counts = state === 'active' || (supersededFrom !== null && today < supersededFrom);
  return counts && validFrom <= today && (validTo === null || today <= validTo);
}

export const keyOf = ({ type, code }: Subject): string => `${type} ${code}`;

/**
 * Judges documents by their subjects, which are a partner and products. Each certificate type on record for a subject, or
 * required of it, needs a certificate in force that covers each product of the document; a product's own only that product.
 */
export function judgeBy(facts: GateFacts, today: string): (subjects: readonly Subject[]) => GateIssue[] {
  const bySubject = new Map<string, GateCertificate[]>();
  for (const certificate of facts.certificates) {
    const key = keyOf({ type: certificate.subjectType, code: certificate.subjectCode });
    bySubject.set(key, [...(bySubject.get(key) ?? []), certificate]);
  }
  const products = new Map(facts.products.map((product) => [product.productCode, product]));
  const judged = new Map<string, SubjectJudgement>();
  const judge = (subject: Subject): SubjectJudgement => {
    const key = keyOf(subject);
    const known = judged.get(key) ?? judgeSubject(subject, bySubject.get(key) ?? [], facts.demanded, today);
    judged.set(key, known);
    return known;
  };
  return (subjects) => {
    const distinct = [...new Map(subjects.map((subject) => [keyOf(subject), subject])).values()];
    const traded = distinct.filter(({ type }) => type === 'product');
    return distinct.flatMap((subject) => {
      const { lacking, restrictions } = judge(subject);
      const concerned = subject.type === 'product' ? [subject] : traded;
      return [
        ...lacking,
        ...restrictions.flatMap((restriction) =>
          concerned.flatMap(({ code }) =>
            coverageIssues(subject, restriction, requireTraits(products, code)),
          ),
        ),
      ];
    });
  };
}

function judgeSubject(
  subject: Subject,
  own: readonly GateCertificate[],
  required: readonly DemandedCertificate[],
  today: string,
): SubjectJudgement {
  const types = new Set(own.map(({ type }) => type));
  for (const { subjectType, type } of required) if (subjectType === subject.type) types.add(type);
  const judgement: SubjectJudgement = { lacking: [], restrictions: [] };
  for (const type of types) {
    const ofType = own.filter((certificate) => certificate.type === type);
    const inForce = ofType.filter((certificate) => isInForce(certificate, today));
    if (inForce.length === 0) {
      const reason = 'certificate_not_in_force';
      const message = messageOf(subject, type, ofType, today);
      judgement.lacking.push({
        ...{ path: null, reason, message },
        ...{ subject, certificateType: type, productCode: null },
      });
    } else if (inForce.every(({ coverage }) => coverage !== null)) {
      judgement.restrictions.push({ type, inForce });
    }
  }
  return judgement;
}

function requireTraits(products: ReadonlyMap<string, CoverageTraits>, code: string): CoverageTraits {
  const product = products.get(code);
  if (!product) throw new Error('a product of the document was not read');
  return product;
}

/** At most this many numbers are named, because a refusal can repeat for each product. */
const NAMED_MAX = 3;

function coverageIssues(
  subject: Subject,
  { type, inForce }: Restriction,
  product: CoverageTraits,
): GateIssue[] {
  if (inForce.some(({ coverage }) => coversProduct(coverage, product))) return [];
  const named = inForce.slice(0, NAMED_MAX).map(({ certificateNo }) => certificateNo);
  const others = inForce.length > NAMED_MAX ? ` and ${inForce.length - NAMED_MAX} more` : '';
  const verb = inForce.length === 1 ? 'does' : 'do';
  return [
    {
      path: null,
      reason: 'certificate_does_not_cover',
      message:
        `${subject.type} ${subject.code}: ${type} ${named.join(', ')}${others} ${verb} not cover ` +
        `product ${product.productCode} (${traitsText(product)})`,
      subject,
      certificateType: type,
      productCode: product.productCode,
    },
  ];
}

function messageOf(
  subject: Subject,
  type: string,
  certificates: readonly GateCertificate[],
  today: string,
): string {
  const latest = [...certificates].sort(byEnd).at(-1);
  const what = `${subject.type} ${subject.code}: ${type}`;
  if (!latest) return `${what} is required and not on record`;
  const status = statusOn(latest, today);
  const since = status === 'expired' ? ` since ${latest.validTo}` : '';
  const until = status === 'not_yet_valid' ? ` before ${latest.validFrom}` : '';
  return `${what} ${latest.certificateNo} is ${status}${since}${until}`;
}

const LATER_THAN_ANY = '9999-12-31';

/** Sorts current certificates last, and among them by their last day. */
function byEnd(a: GateCertificate, b: GateCertificate): number {
  const rank = ({ state, validTo }: GateCertificate) =>
    `${state === 'active' || state === 'suspended' ? 1 : 0} ${validTo ?? LATER_THAN_ANY}`;
  return rank(a) < rank(b) ? -1 : 1;
}
