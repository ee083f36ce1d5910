import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const certificateReasons = {
  certificate_not_in_force: {
    kind: 'invalid',
    meaning: 'a supplier, product or customer lacks a certificate in force today',
    remedy: 'Renew or reinstate the certificate named in `message`, or enter the one that is missing.',
  },
  certificate_does_not_cover: {
    kind: 'invalid',
    meaning: 'the certificates of a required type that are in force do not cover a product of the document',
    remedy:
      'Take the product named in `message` off the document, enter a certificate that covers it, or correct the `coverage` of the certificate or the risk class, category or storage conditions of the product.',
  },
  category_pattern_invalid: {
    kind: 'invalid',
    meaning: 'a category of the coverage has a `*` that is not its last character',
    remedy: 'Write a whole category (`6846`), the beginning of categories (`02*`), or `*` for all.',
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
  file_type_unsupported: {
    kind: 'invalid',
    meaning: 'the content of the file is not a PDF, PNG or JPEG',
    remedy:
      'Send the bytes of the file itself as the body, neither as a form nor encoded, and as PDF, PNG or JPEG.',
  },
  file_type_mismatch: {
    kind: 'invalid',
    meaning: 'the content of the file is not of the type that `Content-Type` names',
    remedy: 'Send `Content-Type: application/pdf`, `image/png` or `image/jpeg`, as the content is.',
  },
} as const satisfies Reasons;

export const refuseCertificate = refusalOf(certificateReasons);
