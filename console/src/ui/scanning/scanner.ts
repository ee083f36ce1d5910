import { useEffect, useRef } from 'react';
import { ScanCapture, type ScanListener } from './capture.js';
import { type ScanHandler, ScanHandlers, type UnhandledScans } from './scan-handlers.js';

/** A window that handles codes itself is marked as such. */
const isWindowOpen = (): boolean =>
  document.querySelector('[role="dialog"][aria-modal="true"]:not([data-takes-scans])') !== null;

const handlers = new ScanHandlers(isWindowOpen, (error) => reportError(error));

/** Handles scanned codes while the component is shown. */
export function useScanner(onScan: ScanHandler): void {
  const latest = useRef(onScan);
  latest.current = onScan;
  useEffect(() => handlers.add(latest), []);
}

/** Scans that no part of the page handles. */
export type UnusedScans = Pick<ScanListener, 'onUnended'> & UnhandledScans;

/** Captures scans on every page. Used once for the whole console. */
export function useScanCapture(unused: UnusedScans): void {
  const latest = useRef(unused);
  latest.current = unused;
  useEffect(
    () =>
      new ScanCapture({
        onUnended: () => latest.current.onUnended(),
        onScan: (code) => {
          handlers.dispatch(code, latest.current);
        },
      }).start(),
    [],
  );
}
