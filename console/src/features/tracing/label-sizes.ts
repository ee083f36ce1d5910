/** Usual stock of label printers, in millimetres; the service writes ZPL for the same ones. */
export const LABEL_SIZES = ['30x20', '50x25', '50x30', '70x40', '100x50', '100x150'] as const;
export const DENSITIES = ['203', '300', '600'] as const;
/** Several labels on a sheet of paper, each at its drawn size. */
export const SHEET = 'sheet';

const COPIES_MAX = 200;
/** The maximum per print; beyond this, browsers take too long to lay out. */
const PRINTED_MAX = 1_000;

/** The maximum number of copies of this many labels in one print. */
export const copiesMax = (labels: number): number =>
  Math.max(1, Math.min(COPIES_MAX, Math.floor(PRINTED_MAX / Math.max(1, labels))));

/** Null for a sheet of paper. */
export function millimetresOf(size: string): { width: number; height: number } | null {
  const [width = 0, height = 0] = size.split('x').map(Number);
  return LABEL_SIZES.some((each) => each === size) ? { width, height } : null;
}

export const zplUrl = (code: string, size: string, dpi: string, copies: number, name?: string): string =>
  `/labels/udi.zpl?${new URLSearchParams({ code, size, dpi, copies: String(copies), ...(name && { name }) })}`.replaceAll(
    '+',
    '%20',
  );
