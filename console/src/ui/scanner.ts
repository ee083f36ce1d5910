import { useEffect, useRef } from 'react';

/** A scanner types faster than anybody: keys further apart than this were pressed by hand. */
const KEYS_APART_MS = 50;
const CODE_LENGTH_MIN = 6;

/**
 * Listens for a keyboard-wedge scanner anywhere on the page: keys in quick succession, ended by Enter. The group
 * separator arrives as itself or as Ctrl+]. What is typed by hand into a field stays there.
 */
export function useScanner(onScan: (code: string) => void): void {
  const latest = useRef(onScan);
  latest.current = onScan;
  useEffect(() => {
    let code = '';
    let lastMs = Number.NEGATIVE_INFINITY;
    const listen = (event: KeyboardEvent) => {
      if (event.timeStamp - lastMs > KEYS_APART_MS) code = '';
      const separator = event.key === '\u001d' || (event.ctrlKey && event.key === ']');
      if (event.key === 'Enter') {
        if (code.length >= CODE_LENGTH_MIN) {
          event.preventDefault();
          event.stopPropagation();
          takeBack(event.target, code);
          latest.current(code);
        }
        code = '';
      } else if (separator || event.key.length === 1) {
        code += separator ? '\u001d' : event.key;
        lastMs = event.timeStamp;
      }
    };
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

/** What the scanner typed into the field that had the focus does not belong there. */
function takeBack(target: EventTarget | null, code: string): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
  if (target.dataset.scan === 'keep') return;
  const typed = code.replaceAll('\u001d', '');
  if (!target.value.endsWith(typed)) return;
  const prototype =
    target instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  // React notices a change only when it is made past the value it keeps.
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(
    target,
    target.value.slice(0, -typed.length),
  );
  target.dispatchEvent(new Event('input', { bubbles: true }));
}
