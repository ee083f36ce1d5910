import { canonicalCode } from '@lotward/udi';
import type { Static, TSchema } from 'typebox';
import {
  lockPartners,
  lockProducts,
  PartnerBody,
  ProductBody,
  putPartners,
  putProducts,
} from '../catalogue/index.js';
import {
  CertificateRow,
  type CertificateToPut,
  certificateKeyOf,
  certificateKeyText,
  currentKeyOf,
  lockCurrentCertificates,
  putCertificates,
} from '../certificates/index.js';
import type { Tx } from '../platform/database/index.js';

/** What a file can hold, and the verb that takes it: the one the API calls. */
export interface ImportKind {
  name: string;
  /** The column that names the thing; the API has it in the path. */
  codeColumn: string;
  schema: TSchema;
  /** The code as it is kept: two spellings of one code are one thing. */
  codeOf(body: Body): string;
  /** Those of the codes that exist already. */
  known(tx: Tx, codes: readonly string[]): Promise<{ has(code: string): boolean }>;
  put(tx: Tx, bodies: readonly Body[]): Promise<unknown>;
}

/** Checked against the schema of its kind. */
export type Body = Record<string, unknown>;

const products: ImportKind = {
  name: 'products',
  codeColumn: 'productCode',
  schema: ProductBody,
  codeOf: (body) => canonicalCode(String(body.productCode)),
  known: lockProducts,
  put: (tx, bodies) =>
    putProducts(
      tx,
      bodies.map((body) => {
        const {
          id: _id,
          updatedAt: _updatedAt,
          productCode: _code,
          ...input
        } = body as Static<typeof ProductBody>;
        return { productCode: products.codeOf(body), input };
      }),
    ),
};

const partners: ImportKind = {
  name: 'partners',
  codeColumn: 'code',
  schema: PartnerBody,
  codeOf: (body) => String(body.code),
  known: lockPartners,
  put: (tx, bodies) =>
    putPartners(
      tx,
      bodies.map((body) => {
        const { updatedAt: _updatedAt, code: _code, ...input } = body as Static<typeof PartnerBody>;
        return { ...input, code: partners.codeOf(body) };
      }),
    ),
};

const certificates: ImportKind = {
  name: 'certificates',
  codeColumn: 'certificateNo',
  schema: CertificateRow,
  // A number may stand for many subjects: it takes all four to name one certificate.
  codeOf: (body) => certificateKeyText(currentKeyOf(body as unknown as CertificateToPut)),
  known: (tx, codes) => lockCurrentCertificates(tx, codes.map(certificateKeyOf)),
  put: (tx, bodies) => putCertificates(tx, bodies as unknown as CertificateToPut[]),
};

export const IMPORT_KINDS: readonly ImportKind[] = [products, partners, certificates];
