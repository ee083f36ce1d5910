import type { Body } from '@lotward/client';

export type Extent = 'batches' | 'serials' | 'product';
export type RecallClass = 'I' | 'II' | 'III';

/** A recall that is not made yet. */
export interface Draft {
  /** The step of the wizard that was reached; drafts of earlier versions do not say. */
  step?: number;
  productCode: string | null;
  extent: Extent;
  batchNos: string[];
  serials: string[];
  recallNo: string;
  recallClass: RecallClass | null;
  reason: string;
}

/** Goods that a recall begins with: those of a trace. */
export interface RecalledGoods {
  productCode?: string;
  batchNo?: string;
  serialNo?: string;
}

export const draftOf = ({ productCode, batchNo, serialNo }: RecalledGoods): Draft => ({
  productCode: productCode ?? null,
  extent: serialNo ? 'serials' : 'batches',
  batchNos: batchNo ? [batchNo] : [],
  serials: serialNo ? [serialNo] : [],
  recallNo: '',
  recallClass: null,
  reason: '',
});

/** The batches or serialized units to recall; none if the whole product is recalled. */
export const namedIn = (draft: Draft): string[] =>
  draft.extent === 'batches' ? draft.batchNos : draft.extent === 'serials' ? draft.serials : [];

export const isExtentGiven = (draft: Draft): boolean =>
  draft.extent === 'product' || namedIn(draft).length > 0;

export const isReasonGiven = (draft: Draft): boolean =>
  draft.recallNo.trim() !== '' && draft.recallClass !== null && draft.reason.trim() !== '';

/** The step to go on with: the one that was reached, or the first before it that lacks something. */
export function stepOf(draft: Draft): number {
  const isGiven = [draft.productCode !== null, isExtentGiven(draft), true, isReasonGiven(draft)];
  const lacking = isGiven.indexOf(false);
  return Math.min(draft.step ?? 0, lacking === -1 ? isGiven.length : lacking);
}

export const bodyOf = (draft: Draft): Body<'/v2/recalls', 'post'> => ({
  recallNo: draft.recallNo.trim(),
  productCode: draft.productCode ?? '',
  class: draft.recallClass ?? 'I',
  reason: draft.reason.trim(),
  ...(draft.extent === 'batches' ? { batchNos: draft.batchNos } : {}),
  ...(draft.extent === 'serials' ? { serials: draft.serials } : {}),
});

export interface StepProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}
