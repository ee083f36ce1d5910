import { canonicalCode } from '@lotward/udi';
import type { Static, TSchema } from 'typebox';
import type { Scope } from '../access/index.js';
import {
  lockPartners,
  lockProducts,
  PartnerBody,
  type PartnerToPut,
  ProductBody,
  type ProductToPut,
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
import type { Issue } from '../platform/errors/index.js';
import { lockStockedProducts, OpeningStockRow, openStock } from '../stock/index.js';

export const IMPORT_KIND_NAMES = ['products', 'partners', 'certificates', 'opening_stock'] as const;
export type ImportKindName = (typeof IMPORT_KIND_NAMES)[number];

/** A row to write. */
export interface RowToWrite {
  line: number;
  code: string;
  body: Body;
}

/** The record types a file can hold. Each is written by the same function as in the API. */
export interface ImportKind {
  name: ImportKindName;
  /** The scope needed to write such a record through the API. */
  scope: Scope;
  /** The column with the code, which the API has in the path. */
  codeColumn: string;
  schema: TSchema;
  /** The fields, all of them texts, that together name a record. */
  keyFields: readonly string[];
  /** The code as it is stored, so that two spellings of a code identify one record. */
  codeOf(body: Body): string;
  /** Locks the existing records, in the order that all writers use. */
  lock(tx: Tx, rows: readonly RowToWrite[]): Promise<LockedRows>;
}

/** Rows whose records are locked, as far as these exist. */
export interface LockedRows {
  isKnown(code: string): boolean;
  /**
   * Writes all rows or, if it throws a refusal, none; or writes each on its own and returns the issues of those it refused.
   */
  put(bodies: readonly Body[]): Promise<readonly (readonly Issue[] | null)[] | undefined>;
}

/** Checked against the schema of its kind. */
export type Body = Record<string, unknown>;

const codesOf = (rows: readonly RowToWrite[]): string[] => rows.map((row) => row.code);

const products: ImportKind = {
  name: 'products',
  scope: 'products:write',
  codeColumn: 'productCode',
  schema: ProductBody,
  keyFields: ['productCode'],
  codeOf: (body) => canonicalCode(String(body.productCode)),
  async lock(tx, rows) {
    const known = await lockProducts(tx, codesOf(rows));
    return {
      isKnown: (code) => known.has(code),
      async put(bodies) {
        await putProducts(tx, bodies.map(productOf), known);
        return undefined;
      },
    };
  },
};

function productOf(body: Body): ProductToPut {
  const {
    id: _id,
    version: _version,
    updatedAt: _updatedAt,
    productCode: _code,
    ...input
  } = body as Static<typeof ProductBody>;
  return { productCode: products.codeOf(body), input };
}

const partners: ImportKind = {
  name: 'partners',
  scope: 'products:write',
  codeColumn: 'code',
  schema: PartnerBody,
  keyFields: ['code'],
  codeOf: (body) => String(body.code),
  async lock(tx, rows) {
    const known = await lockPartners(tx, codesOf(rows));
    return {
      isKnown: (code) => known.has(code),
      async put(bodies) {
        await putPartners(tx, bodies.map(partnerOf));
        return undefined;
      },
    };
  },
};

function partnerOf(body: Body): PartnerToPut {
  const {
    version: _version,
    updatedAt: _updatedAt,
    code: _code,
    ...input
  } = body as Static<typeof PartnerBody>;
  return { ...input, code: partners.codeOf(body) };
}

const certificates: ImportKind = {
  name: 'certificates',
  scope: 'certificates:write',
  codeColumn: 'certificateNo',
  schema: CertificateRow,
  // A certificate number can occur for many subjects: it takes all four fields to identify one.
  keyFields: ['subjectType', 'subjectCode', 'type', 'certificateNo'],
  codeOf: (body) => certificateKeyText(currentKeyOf(body as unknown as CertificateToPut)),
  async lock(tx, rows) {
    const known = await lockCurrentCertificates(tx, codesOf(rows).map(certificateKeyOf));
    return {
      isKnown: (code) => known.has(code),
      async put(bodies) {
        await putCertificates(tx, bodies as unknown as CertificateToPut[]);
        return undefined;
      },
    };
  },
};

const OPENING_REASON = 'opening stock';

const openingStock: ImportKind = {
  name: 'opening_stock',
  scope: 'inventory:write',
  codeColumn: 'productCode',
  schema: OpeningStockRow,
  keyFields: ['productCode', 'warehouse'],
  codeOf: (body) =>
    [canonicalCode(String(body.productCode)), body.warehouse, body.batchNo]
      .filter((part) => part !== undefined)
      .join(' / '),
  async lock(tx, rows) {
    const codes = rows.map(({ body }) => canonicalCode(String(body.productCode)));
    await lockStockedProducts(tx, [...new Set(codes)].sort());
    return {
      // Stock that a batch already has is refused, never replaced.
      isKnown: () => false,
      put: (bodies) =>
        openStock(
          tx,
          bodies.map((body) => ({ reason: OPENING_REASON, ...(body as Static<typeof OpeningStockRow>) })),
        ),
    };
  },
};

const KINDS: Readonly<Record<ImportKindName, ImportKind>> = {
  products,
  partners,
  certificates,
  opening_stock: openingStock,
};

export const kindOf = (name: ImportKindName): ImportKind => KINDS[name];

export const IMPORT_KINDS: readonly ImportKind[] = IMPORT_KIND_NAMES.map(kindOf);
