type TextField = HTMLInputElement | HTMLTextAreaElement;

const TEXT_TYPES = new Set(['text', 'search', 'url', 'tel', 'email', 'password', 'number']);
const TEMPORAL_TYPES = new Set(['date', 'datetime-local', 'month', 'week', 'time']);

export const isTextField = (element: Element | null): element is TextField =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && TEXT_TYPES.has(element.type));

const isTemporal = (element: Element): element is HTMLInputElement =>
  element instanceof HTMLInputElement && TEMPORAL_TYPES.has(element.type);

/**
 * Whether held-back keys can be repeated in this element. Elsewhere keys have an effect that cannot, so they are let in and
 * undone if they were scanned.
 */
export const isReplayable = (element: Element | null): boolean =>
  element === null || !(isTemporal(element) || element instanceof HTMLSelectElement);

const ownEvents = new WeakSet<Event>();
/** Whether an event was dispatched here, to notify the page of a change. */
export const isOwnEvent = (event: Event): boolean => ownEvents.has(event);

function dispatch(element: Element, event: Event): void {
  ownEvents.add(event);
  element.dispatchEvent(event);
}

/** Fields that password managers fill at the speed of a scanner: secrets and the fields beside them. */
export const isSecretField = (element: Element | null): boolean =>
  element instanceof HTMLInputElement &&
  (element.type === 'password' ||
    element.autocomplete === 'one-time-code' ||
    element.form?.querySelector('input[type="password"]') != null);

/** The state of a field before the first key; restoring it removes a scan. */
export interface FieldState {
  element: Element;
  /** Restores the text, the selection and the caret, and notifies the page. */
  restore(): void;
}

export function rememberField(element: Element | null): FieldState | null {
  if (isTextField(element)) return rememberText(element);
  if (element !== null && isTemporal(element)) return rememberTime(element);
  if (element instanceof HTMLSelectElement) return rememberChoice(element);
  return null;
}

const isExpanded = (element: Element): boolean => element.getAttribute('aria-expanded') === 'true';

function rememberText(element: TextField): FieldState {
  const { value, selectionStart, selectionEnd, selectionDirection } = element;
  const wasExpanded = isExpanded(element);
  return {
    element,
    restore() {
      if (element.value !== value) setValue(element, value);
      if (selectionStart !== null)
        element.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? undefined);
      // The first keys opened a list of suggestions.
      if (!wasExpanded && isExpanded(element))
        dispatch(element, new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
    },
  };
}

function rememberTime(element: HTMLInputElement): FieldState {
  const { value } = element;
  return {
    element,
    restore() {
      // Even if the value is unchanged, because an incomplete date has none.
      setValue(element, value);
      if (document.activeElement !== element) return;
      // Leaving the field resets a partly typed number.
      element.blur();
      element.focus({ preventScroll: true });
    },
  };
}

function rememberChoice(element: HTMLSelectElement): FieldState {
  const chosen = [...element.options].map((option) => option.selected);
  return {
    element,
    restore() {
      const isChanged = [...element.options].some((option, i) => option.selected !== chosen[i]);
      if (!isChanged) return;
      for (const [i, option] of [...element.options].entries()) option.selected = chosen[i] ?? false;
      for (const type of ['input', 'change']) dispatch(element, new Event(type, { bubbles: true }));
    },
  };
}

/** React notices a change only if it bypasses the value it tracks. */
function setValue(element: TextField, value: string): void {
  const prototype =
    element instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value);
  dispatch(element, new Event('input', { bubbles: true }));
}

/** Types text at the caret, as if its keys had not been held back. */
export function insertText(element: Element | null, text: string): void {
  if (!isTextField(element) || element.readOnly || element.disabled) return;
  element.focus({ preventScroll: true });
  // Fields that format their input read the caret when a key goes down.
  dispatch(element, new KeyboardEvent('keydown', { key: 'Unidentified', bubbles: true }));
  document.execCommand('insertText', false, text);
}
