import type { Data } from '@lotward/client';
import {
  Barcode,
  ClipboardList,
  FileCheck2,
  Handshake,
  Layers,
  type LucideIcon,
  Package,
  PackagePlus,
  Truck,
  Webhook,
} from 'lucide-react';
import { recordPath } from '../record-path.js';

export type Found = Data<'/v2/search', 'get'>['items'][number];
export type Kind = Found['kind'];

/** A destination of the palette. */
export interface Target {
  key: string;
  href: string;
  title: string;
  detail: string | null;
  status: string | null;
  /** Null for a page or an action. */
  kind: Kind | null;
}

export const KIND_ICONS: Readonly<Record<Kind, LucideIcon>> = {
  order: ClipboardList,
  receipt: PackagePlus,
  dispatch: Truck,
  product: Package,
  batch: Layers,
  serial: Barcode,
  partner: Handshake,
  certificate: FileCheck2,
  webhook: Webhook,
};

const GTIN = /^\d{14}$/;

/** The page of a record. A unit is shown by its trace, which needs a code; one without a GTIN is shown by its product. */
function hrefOf({ kind, id, productCode }: Found): string {
  if (kind === 'batch')
    return `/inventory/batch?${new URLSearchParams({ productCode: productCode ?? '', batchNo: id })}`;
  if (kind === 'serial')
    return GTIN.test(productCode ?? '')
      ? `/trace?${new URLSearchParams({ code: `(01)${productCode}(21)${id}` })}`
      : (recordPath('product', productCode ?? '') ?? '/products');
  return recordPath(kind, id) ?? '/';
}

export const targetOf = (found: Found): Target => ({
  key: JSON.stringify([found.kind, found.productCode, found.id]),
  href: hrefOf(found),
  title: found.title,
  detail:
    [found.subtitle === found.title ? null : found.subtitle, found.matched]
      .filter((text) => text !== null)
      .join(' · ') || null,
  status: found.status,
  kind: found.kind,
});
