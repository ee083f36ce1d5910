import {
  type Burst,
  beginBurst,
  continueBurst,
  GAP_MAX_MS,
  isCodeLike,
  isMachine,
  isScan,
  isWithin,
} from './burst.js';
import {
  type FieldState,
  insertText,
  isOwnEvent,
  isReplayable,
  isSecretField,
  isTextField,
  rememberField,
} from './field-state.js';
import { GROUP_SEPARATOR, isFromInputMethod, readScanKey } from './scan-keys.js';

export interface ScanListener {
  onScan(code: string): void;
  /** A code arrived at the speed of a scanner, but without an end key. */
  onUnended(): void;
}

/** Longer than any gap within a code: keys held back until then were not the start of a scan. */
const SILENCE_MS = GAP_MAX_MS + 100;
/** On a busy machine the rest of a code may take this long to arrive, whenever its keys were pressed. */
const LATE_MS = 1_500;
/** An input method inserts its composition only after the key that ended the code. */
const COMPOSED_MS = 300;

/**
 * Captures the input of a keyboard-wedge scanner, in any focus.
 *
 * The first keys of a scan look like typing, so they are let in and undone: every field that gets one is remembered as
 * it was. From the fourth key at a speed nobody types at, keys are held back. Enter or Tab decides: a scan is undone
 * and reported, and anything else goes where it was typed, held keys included. People never notice, since no key of
 * theirs is held back.
 */
export class ScanCapture {
  readonly #listener: ScanListener;
  #burst: Burst | null = null;
  #fields: FieldState[] = [];
  /** Keys arrived faster than anyone types. */
  #isMachine = false;
  #isHolding = false;
  #isComposing = false;
  /** The field that lost the focus, so that the input method releases it. */
  #left: Element | null = null;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #scannedMs = Number.NEGATIVE_INFINITY;
  #undone: { fields: FieldState[]; untilMs: number } | null = null;
  /** Keys whose release must have no effect either, because some browsers press a button then. */
  readonly #swallowed = new Set<string>();

  constructor(listener: ScanListener) {
    this.#listener = listener;
  }

  /** Starts listening; returns a function that stops it. */
  start(): () => void {
    const stop = new AbortController();
    const options = { capture: true, signal: stop.signal };
    window.addEventListener('keydown', (event) => this.#onKeyDown(event), options);
    window.addEventListener('keyup', (event) => this.#onKeyUp(event), options);
    window.addEventListener('input', (event) => this.#onInput(event), options);
    for (const type of ['pointerdown', 'paste', 'drop'])
      window.addEventListener(type, () => this.#endAsTyped(), options);
    return () => {
      stop.abort();
      clearTimeout(this.#silence);
    };
  }

  #onKeyDown(event: KeyboardEvent): void {
    if (isOwnEvent(event)) return;
    const key = readScanKey(event);
    if (key.kind === 'modifier') return;
    this.#undone = null;
    if (key.kind === 'text') this.#onText(event, key.text);
    else if (key.kind === 'end') this.#onEnd(event);
    else this.#endAsTyped();
  }

  #onText(event: KeyboardEvent, text: string): void {
    const atMs = event.timeStamp;
    if (this.#burst !== null && !isWithin(this.#burst, atMs)) this.#endAsTyped();
    const before = this.#burst;
    const burst = before === null ? beginBurst(text, atMs) : continueBurst(before, text, atMs);
    // Keys arrive in clumps, as from a remote desktop: those held back come before this one, which is let in.
    if (!isMachine(burst)) this.#letIn();
    this.#burst = burst;
    const focused = document.activeElement;
    if (!this.#fields.some((field) => field.element === focused)) {
      const field = rememberField(focused);
      if (field) this.#fields.push(field);
    }
    this.#isComposing ||= isFromInputMethod(event);
    if (isMachine(burst) && !isSecretField(focused)) this.#hold(event, focused);
    // A space would press the button that has the focus.
    else if (before !== null && text === ' ' && !isTextField(focused)) this.#swallow(event);
    // Neither is a character: browsers and pages have shortcuts for them.
    else if (text === GROUP_SEPARATOR) event.preventDefault();
  }

  #hold(event: KeyboardEvent, focused: Element | null): void {
    this.#isMachine = true;
    clearTimeout(this.#silence);
    const waitMs = isCodeLike(this.#burst?.text ?? '') ? LATE_MS : SILENCE_MS;
    this.#silence = setTimeout(() => this.#onSilence(), waitMs);
    if (!isReplayable(focused)) return;
    if (!this.#isHolding) {
      this.#isHolding = true;
      for (const field of this.#fields) field.restore();
      if (this.#isComposing && isTextField(focused)) {
        // An input method takes keys without asking. Without a field, it has nothing to do.
        this.#left = focused;
        focused.blur();
      }
    }
    this.#swallow(event);
  }

  #onEnd(event: KeyboardEvent): void {
    const burst = this.#burst;
    const atMs = event.timeStamp;
    if (burst === null) {
      // The second of two end keys, from a scanner that sends CR and LF.
      if (atMs - this.#scannedMs <= GAP_MAX_MS) this.#swallow(event);
      return;
    }
    const focused = this.#left ?? document.activeElement;
    if (!isWithin(burst, atMs) || !isScan(burst, atMs, !isSecretField(focused))) {
      this.#endAsTyped();
      return;
    }
    this.#swallow(event);
    this.#scannedMs = atMs;
    this.#undo(atMs);
    this.#listener.onScan(burst.text);
  }

  /** Restores every field to its state before the first key, and discards that state. */
  #undo(atMs: number): void {
    const fields = this.#fields;
    const focused = this.#left ?? (this.#isComposing ? document.activeElement : null);
    for (const field of fields) field.restore();
    if (isTextField(focused)) {
      focused.blur();
      focused.focus({ preventScroll: true });
      for (const field of fields) field.restore();
    }
    if (this.#isComposing) this.#undone = { fields, untilMs: atMs + COMPOSED_MS };
    this.#forget();
  }

  #forget(): void {
    clearTimeout(this.#silence);
    this.#burst = null;
    this.#fields = [];
    this.#isMachine = false;
    this.#isHolding = false;
    this.#isComposing = false;
    this.#left = null;
  }

  /** It was typed: held-back keys are inserted where they belong, unless a machine typed a code. */
  #endAsTyped(): void {
    if (this.#isMachine && isCodeLike(this.#burst?.text ?? '')) {
      this.#undo(this.#burst?.lastMs ?? 0);
      this.#listener.onUnended();
      return;
    }
    this.#letIn();
    this.#forget();
  }

  #letIn(): void {
    if (!this.#isHolding || this.#burst === null) return;
    this.#isHolding = false;
    insertText(this.#left ?? document.activeElement, this.#burst.text.replaceAll(GROUP_SEPARATOR, ''));
  }

  #onSilence(): void {
    if (isCodeLike(this.#burst?.text ?? '')) this.#endAsTyped();
    // Kept, because the next key may be waiting behind this timer, and its event records when it was pressed.
    else this.#letIn();
  }

  #onKeyUp(event: KeyboardEvent): void {
    if (!this.#swallowed.delete(event.code || event.key)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  #swallow(event: KeyboardEvent): void {
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#swallowed.add(event.code || event.key);
  }

  #onInput(event: Event): void {
    const undone = this.#undone;
    if (isOwnEvent(event) || undone === null || event.timeStamp > undone.untilMs) return;
    const field = undone.fields.find(({ element }) => element === event.target);
    if (!field) return;
    event.stopImmediatePropagation();
    field.restore();
  }
}
