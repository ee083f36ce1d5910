/** The separator between the elements of a GS1 code. */
export const GROUP_SEPARATOR = '\u001d';

/** The meaning of a key while a code may be arriving; `other` is a key that no scanner sends within a code. */
export type ScanKey = { kind: 'text'; text: string } | { kind: 'end' | 'modifier' | 'other' };

const OTHER: ScanKey = { kind: 'other' };
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock']);
const DIGITS_SHIFTED = ')!@#$%^&*(';
const PUNCTUATION: Readonly<Record<string, string>> = {
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Backquote: '`~',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
  Space: '  ',
  NumpadAdd: '++',
  NumpadSubtract: '--',
  NumpadMultiply: '**',
  NumpadDivide: '//',
  NumpadDecimal: '..',
};

/** Keys that an input method processes: `key` is "Process", and only the physical key is known. */
export const isFromInputMethod = (event: KeyboardEvent): boolean =>
  event.key === 'Process' || event.keyCode === 229;

/** The character by its physical key. Scanners act as US keyboards unless configured otherwise. */
function characterAt(event: KeyboardEvent): string | null {
  const { code, shiftKey } = event;
  if (/^Key[A-Z]$/.test(code)) {
    const isUpper = shiftKey !== event.getModifierState('CapsLock');
    return isUpper ? code.slice(3) : code.slice(3).toLowerCase();
  }
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit !== undefined)
    return shiftKey && code.startsWith('Digit') ? (DIGITS_SHIFTED[Number(digit)] ?? null) : digit;
  return PUNCTUATION[code]?.[shiftKey ? 1 : 0] ?? null;
}

export function readScanKey(event: KeyboardEvent): ScanKey {
  const { key, code } = event;
  if (MODIFIERS.has(key)) return { kind: 'modifier' };
  // A repeated key is being held down, which only a person does.
  if (event.repeat) return OTHER;
  const isShortcut = (event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState('AltGraph');
  const isSeparator =
    key === GROUP_SEPARATOR ||
    (key === 'F8' && !isShortcut) ||
    (event.ctrlKey && !event.altKey && (key === ']' || code === 'BracketRight'));
  if (isSeparator) return { kind: 'text', text: GROUP_SEPARATOR };
  if (isShortcut) return OTHER;
  if (key === 'Enter' || key === 'Tab' || /^(?:Numpad)?Enter$|^Tab$/.test(code))
    return event.shiftKey ? OTHER : { kind: 'end' };
  if (/^[ -~]$/.test(key)) return { kind: 'text', text: key };
  // Full-width letters and signs, as a Chinese input method makes them, stand for the plain ones.
  if (/^[！-～]$/.test(key)) return { kind: 'text', text: String.fromCharCode(key.charCodeAt(0) - 0xfee0) };
  const character = characterAt(event);
  return character === null ? OTHER : { kind: 'text', text: character };
}
