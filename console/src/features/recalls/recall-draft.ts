import type { Body } from '@lotward/client';

export type Extent = 'batches' | 'serials' | 'product';
export type RecallClass = 'I' | 'II' | 'III';

/** A recall that has not been opened yet. */
export interface Draft {
  /** The last step of the wizard; missing in drafts of earlier versions. */
  step?: number;
  productCode: string | null;
  extent: Extent;
  batchNos: string[];
  serials: string[];
  recallNo: string;
  recallClass: RecallClass | null;
  reason: string;
}

/** The goods of a trace from which a recall starts. */
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

/** The step to continue with: the last one, or an earlier one that is incomplete. */
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
