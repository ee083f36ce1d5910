import { useEffect, useRef } from 'react';
import { ScanCapture, type ScanListener } from './capture.js';

type ScanHandler = (code: string) => void | Promise<void>;

/** The parts of the page that use codes; the one shown last gets them. */
const handlers: { current: ScanHandler }[] = [];
/** Codes are handled one after the other: each is counted on top of those before it. */
let handled: Promise<void> = Promise.resolve();

/** Uses what is scanned while the component is shown. */
export function useScanner(onScan: ScanHandler): void {
  const latest = useRef(onScan);
  latest.current = onScan;
  useEffect(() => {
    handlers.push(latest);
    return () => {
      handlers.splice(handlers.lastIndexOf(latest), 1);
    };
  }, []);
}

const isWindowOpen = (): boolean => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

/** What becomes of codes nobody on the page uses. */
export interface UnusedScans extends Pick<ScanListener, 'onUnended'> {
  onUnused(code: string): void;
  /** A window covers the page: whoever looks at it would not see what a code does behind it. */
  onCovered(code: string): void;
}

/** Captures scans on every page. Once for the whole console. */
export function useScanCapture(unused: UnusedScans): void {
  const latest = useRef(unused);
  latest.current = unused;
  useEffect(
    () =>
      new ScanCapture({
        onUnended: () => latest.current.onUnended(),
        onScan(code) {
          const handler = handlers.at(-1);
          if (isWindowOpen()) latest.current.onCovered(code);
          else if (!handler) latest.current.onUnused(code);
          else handled = handled.then(() => handler.current(code)).catch(reportError);
        },
      }).start(),
    [],
  );
}
