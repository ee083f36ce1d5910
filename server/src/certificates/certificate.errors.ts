import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const certificateReasons = {
  certificate_not_in_force: {
    kind: 'invalid',
    meaning: 'a supplier, product or customer lacks a certificate in force today',
    remedy: 'Renew or reinstate the certificate named in `message`, or enter the one that is missing.',
  },
  certificate_exists: {
    kind: 'invalid',
    meaning: 'the subject already has a current certificate of this type and number',
    remedy: 'Replace that one (PUT), or renew it.',
  },
  certificate_closed: {
    kind: 'invalid',
    meaning: 'the certificate was revoked or renewed and its content can no longer change',
    remedy: 'Change the renewal (`supersededBy`), or enter a new certificate.',
  },
  subject_fixed: {
    kind: 'invalid',
    meaning: 'subject and type of a certificate cannot change',
    remedy: 'Enter a new certificate for the other subject or type.',
  },
  validity_reversed: {
    kind: 'invalid',
    meaning: 'the validity ends before it begins',
    remedy: 'Correct `validFrom` or `validTo`.',
  },
} as const satisfies Reasons;

export const refuseCertificate = refusalOf(certificateReasons);
