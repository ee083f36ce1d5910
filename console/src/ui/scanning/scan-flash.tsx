import './scan-flash.css';
import { useScanFlash } from './scan-signals.js';

/** Shows on the edge of the screen how the last scan ended. */
export function ScanFlash() {
  const flash = useScanFlash();
  if (flash === null) return null;
  return <div key={flash.no} className="scan-flash" data-outcome={flash.outcome} aria-hidden />;
}
