import './scan-flash.css';
import { useScanFlash } from './scan-signals.js';

/** Shows the outcome of the last scan at the edge of the screen. */
export function ScanFlash() {
  const flash = useScanFlash();
  if (flash === null) return null;
  return <div key={flash.no} className="scan-flash" data-outcome={flash.outcome} aria-hidden />;
}
