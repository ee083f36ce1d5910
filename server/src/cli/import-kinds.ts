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

/** The record types a file can hold. Each is written by the same function as in the API. */
export interface ImportKind {
  name: string;
  /** The column with the code, which the API has in the path. */
  codeColumn: string;
  schema: TSchema;
  /** The code as it is stored, so that two spellings of a code name one record. */
  codeOf(body: Body): string;
  /** The codes that already exist. */
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
