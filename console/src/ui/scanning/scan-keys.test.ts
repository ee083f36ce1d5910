import { describe, expect, it } from 'vitest';
import { readScanKey } from './scan-keys.js';

const pressed = (
  key: string,
  more: Partial<KeyboardEvent> & { on?: readonly string[] } = {},
): KeyboardEvent => {
  const { on = [], ...facts } = more;
  return {
    key,
    code: '',
    shiftKey: false,
    getModifierState: (name: string) => on.includes(name),
    ...facts,
  } as KeyboardEvent;
};
const text = (character: string) => ({ kind: 'text', text: character });

describe('what a key means while a code comes in', () => {
  it.each([
    ['itself', pressed('a', { code: 'KeyA' }), 'a'],
    ['itself on another layout', pressed('z', { code: 'KeyY' }), 'z'],
    [
      'typed with AltGr',
      pressed('[', { code: 'Digit8', ctrlKey: true, altKey: true, on: ['AltGraph'] }),
      '[',
    ],
    ['taken by an input method', pressed('Process', { code: 'KeyX' }), 'x'],
    ['taken by one, with Shift', pressed('Process', { code: 'Digit9', shiftKey: true }), '('],
    ['taken by one, with Caps Lock', pressed('Process', { code: 'KeyB', on: ['CapsLock'] }), 'B'],
    ['of the number pad', pressed('Process', { code: 'Numpad7' }), '7'],
    ['full-width', pressed('（', { code: 'Digit9', shiftKey: true }), '('],
    ['the separator itself', pressed('\u001d'), '\u001d'],
    ['the separator as Ctrl+]', pressed(']', { code: 'BracketRight', ctrlKey: true }), '\u001d'],
    ['the separator as F8', pressed('F8', { code: 'F8' }), '\u001d'],
  ])('a character %s', (_, event, expected) => {
    expect(readScanKey(event)).toEqual(text(expected));
  });

  it.each([
    pressed('Enter', { code: 'Enter' }),
    pressed('Tab', { code: 'Tab' }),
    pressed('Enter', { code: 'NumpadEnter' }),
    pressed('Process', { code: 'Enter' }),
  ])('Enter and Tab end it', (event) => {
    expect(readScanKey(event)).toEqual({ kind: 'end' });
  });

  it.each([
    ['a key kept down', pressed('0', { code: 'Digit0', repeat: true })],
    ['a shortcut', pressed('v', { code: 'KeyV', ctrlKey: true })],
    ['the way back', pressed('Tab', { code: 'Tab', shiftKey: true })],
    ['an arrow', pressed('ArrowLeft', { code: 'ArrowLeft' })],
    ['a key of a touch screen', pressed('Unidentified')],
  ])('%s belongs to no scan', (_, event) => {
    expect(readScanKey(event)).toEqual({ kind: 'other' });
  });

  it('Shift belongs to the key after it', () => {
    expect(readScanKey(pressed('Shift', { code: 'ShiftLeft' }))).toEqual({ kind: 'modifier' });
  });
});
