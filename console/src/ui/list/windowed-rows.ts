import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** Below this number, all rows are rendered, so that the browser can search and print them. */
const WINDOWED_FROM = 150;
const ROW_HEIGHT = 48;
const OVERSCAN = 15;

interface WindowedRows {
  isWindowed: boolean;
  /** The indexes of the rows to draw. */
  rows: readonly number[];
  /** The heights of the omitted rows before and after these, in pixels. */
  before: number;
  after: number;
  measure: (row: Element | null) => void;
}

/** Determines which rows of a table are near the screen while the page scrolls. */
export function useWindowedRows(count: number, table: RefObject<HTMLTableElement | null>): WindowedRows {
  const isWindowed = count > WINDOWED_FROM;
  const [top, setTop] = useState(0);
  const virtualizer = useWindowVirtualizer({
    count: isWindowed ? count : 0,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  // Filters and notices above the rows appear and disappear.
  useLayoutEffect(() => {
    const body = table.current?.tBodies[0];
    if (body) setTop(Math.round(body.getBoundingClientRect().top + scrollY));
  });
  if (!isWindowed)
    return {
      isWindowed,
      rows: Array.from({ length: count }, (_, at) => at),
      before: 0,
      after: 0,
      measure: () => {},
    };
  const shown = virtualizer.getVirtualItems();
  const [first, last] = [shown[0], shown.at(-1)];
  return {
    isWindowed,
    rows: shown.map(({ index }) => index),
    before: first ? first.start - top : 0,
    after: last ? virtualizer.getTotalSize() + top - last.end : virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
  };
}

/** Marks the box around a table that fits into it. */
export function useFittingMark(table: RefObject<HTMLTableElement | null>): void {
  const mark = () => {
    const box = table.current?.parentElement;
    if (table.current && box)
      box.toggleAttribute('data-fits', table.current.offsetWidth <= Math.ceil(box.clientWidth));
  };
  useLayoutEffect(mark);
  useLayoutEffect(() => {
    addEventListener('resize', mark);
    return () => removeEventListener('resize', mark);
  });
}

/** The widths of the columns, fixed while only some rows are rendered, so that new rows do not move them. */
export function useFixedWidths(
  table: RefObject<HTMLTableElement | null>,
  isFixed: boolean,
  hasRows: boolean,
): readonly number[] | null {
  const [widths, setWidths] = useState<readonly number[] | null>(null);
  useLayoutEffect(() => {
    const head = table.current?.tHead?.rows[0];
    if (!isFixed) setWidths(null);
    else if (widths === null && hasRows && head)
      setWidths(
        [...head.querySelectorAll('th[data-column]')].map((cell) => (cell as HTMLElement).offsetWidth),
      );
  }, [isFixed, hasRows, widths, table]);
  useLayoutEffect(() => {
    const forget = () => setWidths(null);
    addEventListener('resize', forget);
    return () => removeEventListener('resize', forget);
  }, []);
  return widths;
}
