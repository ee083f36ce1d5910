import type { CDPSession, Page } from 'playwright-core';

/** How a keyboard-wedge scanner is set up, or how fast a person types. */
export interface Typing {
  /** Between one key and the next; the page sees exactly these gaps, however busy this machine is. */
  gapMs?: number | ((at: number) => number);
  separator?: 'ctrl+]' | 'F8' | 'U+001D';
  terminator?: 'Enter' | 'Tab' | 'none';
  /** A Chinese input method takes the keys first: the page is only shown where they are on the keyboard. */
  ime?: boolean;
}

const SCANNER_GAP_MS = 5;
/** Long enough to separate the next keys from earlier ones. */
const PAUSE_MS = 2_000;
const SHIFT = 8;
const CTRL = 2;
const IME_KEY_CODE = 229;

/** Where the characters are on a US keyboard, plain and with Shift. */
const PLACES = new Map<string, { code: string; shift: boolean }>(
  (
    [
      ...[...'abcdefghijklmnopqrstuvwxyz'].map((c) => [`Key${c.toUpperCase()}`, c, c.toUpperCase()]),
      ...[...'1234567890'].map((c, i) => [`Digit${c}`, c, '!@#$%^&*()'[i]]),
      ['Minus', '-', '_'],
      ['Equal', '=', '+'],
      ['BracketLeft', '[', '{'],
      ['BracketRight', ']', '}'],
      ['Semicolon', ';', ':'],
      ['Quote', "'", '"'],
      ['Comma', ',', '<'],
      ['Period', '.', '>'],
      ['Slash', '/', '?'],
      ['Space', ' ', ' '],
    ] as [string, string, string][]
  ).flatMap(([code, plain, shifted]) => [
    [plain, { code, shift: false }] as const,
    ...(shifted === plain ? [] : [[shifted, { code, shift: true }] as const]),
  ]),
);

interface Key {
  key: string;
  code?: string;
  modifiers?: number;
  text?: string;
  windowsVirtualKeyCode?: number;
}

function separatorKey(separator: Typing['separator']): Key {
  if (separator === 'F8') return { key: 'F8', code: 'F8', windowsVirtualKeyCode: 119 };
  if (separator === 'U+001D') return { key: '\u001d', text: '\u001d' };
  return { key: ']', code: 'BracketRight', modifiers: CTRL, windowsVirtualKeyCode: 221 };
}

function keyOf(character: string, { separator, ime }: Typing): Key {
  if (character === '\u001d') return separatorKey(separator);
  if (character === '\n')
    return { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, ...(ime ? {} : { text: '\r' }) };
  if (character === '\t') return { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  const place = PLACES.get(character);
  if (!place) throw new Error(`no key for ${JSON.stringify(character)}`);
  const at = { code: place.code, modifiers: place.shift ? SHIFT : 0 };
  if (ime) return { key: 'Process', ...at, windowsVirtualKeyCode: IME_KEY_CODE };
  const letter = /^[A-Za-z0-9 ]$/.test(character) ? character.toUpperCase().charCodeAt(0) : undefined;
  return { key: character, ...at, text: character, ...(letter ? { windowsVirtualKeyCode: letter } : {}) };
}

/** A keyboard that presses real keys, at times of its own: a scanner, or a person. */
export async function openKeyboard(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  let atMs = 0;
  const press = async (keys: readonly Key[], typing: Typing) => {
    atMs = Math.max(Date.now(), atMs + PAUSE_MS);
    const gapOf =
      typeof typing.gapMs === 'function'
        ? typing.gapMs
        : () => (typing.gapMs as number | undefined) ?? SCANNER_GAP_MS;
    const sent: Promise<unknown>[] = [];
    keys.forEach((key, i) => {
      if (i > 0) atMs += gapOf(i);
      const { text, ...rest } = key;
      const timestamp = atMs / 1_000;
      const down = { ...rest, timestamp, type: text === undefined ? 'rawKeyDown' : 'keyDown' } as const;
      sent.push(cdp.send('Input.dispatchKeyEvent', { ...down, ...(text === undefined ? {} : { text }) }));
      // The composition that an input method shows while it waits for more keys.
      if (typing.ime && key.key === 'Process')
        sent.push(cdp.send('Input.imeSetComposition', { text: 'ni', selectionStart: 2, selectionEnd: 2 }));
      sent.push(cdp.send('Input.dispatchKeyEvent', { ...rest, timestamp, type: 'keyUp' }));
    });
    await Promise.all(sent);
  };
  return {
    /** In a page loaded anew nothing has been typed yet, so its times need not follow on those of before. */
    startAgain(): void {
      atMs = 0;
    },
    /** Types at the speed of a scanner and ends with Enter. */
    async scan(code: string, typing: Typing = {}): Promise<void> {
      const { terminator = 'Enter' } = typing;
      const end = terminator === 'none' ? [] : [terminator === 'Tab' ? '\t' : '\n'];
      await press(
        [...code, ...end].map((each) => keyOf(each, typing)),
        typing,
      );
    },
    /** Types as a person does; `\n` is Enter and `\t` is Tab. */
    async type(text: string, typing: Typing = {}): Promise<void> {
      await press(
        [...text].map((each) => keyOf(each, typing)),
        typing,
      );
    },
    /** A key that is kept down. */
    async hold(character: string, times: number): Promise<void> {
      const key = keyOf(character, {});
      atMs = Math.max(Date.now(), atMs + PAUSE_MS);
      for (let n = 0; n < times; n++) {
        await cdp.send('Input.dispatchKeyEvent', {
          ...key,
          type: 'keyDown',
          autoRepeat: n > 0,
          timestamp: atMs / 1_000,
        });
        atMs += 30;
      }
      await cdp.send('Input.dispatchKeyEvent', { ...key, type: 'keyUp', timestamp: atMs / 1_000 });
    },
  };
}
export type Keyboard = Awaited<ReturnType<typeof openKeyboard>>;
