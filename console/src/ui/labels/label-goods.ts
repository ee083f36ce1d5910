import { writeUdi } from '@lotward/client';

/** The goods that a label is for: a batch, or one serialized unit of it. */
export interface LabelGoods {
  productCode: string;
  productName: string;
  batchNo: string;
  expiryDate: string | null;
  serialNo: string | null;
}

/** The maximum number of labels per print. */
export const LABELS_MAX = 500;
const KEPT_AS = 'lotward.labels';

/** Stores the selection for the page that prints it, in this tab: it is too long for a URL and must survive a reload. */
export function keepLabelGoods(goods: readonly LabelGoods[]): void {
  try {
    sessionStorage.setItem(KEPT_AS, JSON.stringify(goods.slice(0, LABELS_MAX)));
  } catch {
    // Without storage, the page shows that nothing is selected.
  }
}

export function readLabelGoods(): readonly LabelGoods[] {
  try {
    return parseLabelGoods(sessionStorage.getItem(KEPT_AS));
  } catch {
    return [];
  }
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);
const isGoods = (value: unknown): value is LabelGoods => {
  if (typeof value !== 'object' || value === null) return false;
  const given = value as Record<string, unknown>;
  return (
    [given.productCode, given.productName, given.batchNo].every(isText) &&
    [given.expiryDate, given.serialNo].every(isTextOrNull)
  );
};

/** Skips unreadable entries, which another version may have written. */
export function parseLabelGoods(kept: string | null): readonly LabelGoods[] {
  const goods: unknown = JSON.parse(kept ?? '[]');
  return Array.isArray(goods) ? goods.filter(isGoods).slice(0, LABELS_MAX) : [];
}

/**
 * The code of the goods. Null without a GTIN: only a GTIN can be written as a GS1 code, and for other agencies the maker's
 * label must do.
 */
export function codeOfGoods(
  { batchNo, expiryDate, serialNo }: LabelGoods,
  deviceIdentifier: string | null,
  today: string,
): string | null {
  if (deviceIdentifier === null || !/^\d{14}$/.test(deviceIdentifier)) return null;
  const content = { batchNo: batchNo === '' ? null : batchNo, expiryDate, serialNo };
  const writing = writeUdi(
    { issuingAgency: 'GS1', deviceIdentifier, ...content },
    { form: 'bracketed', today },
  );
  return writing.ok ? writing.code : null;
}
