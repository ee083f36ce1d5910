import type { FormState } from './form.js';

/** Value, change handler and error of a number input. An empty input is null. */
export const numberField = <V extends object>(
  form: FormState<V>,
  name: keyof V & string,
  path = `/${name}`,
) => ({
  value: (form.values[name] ?? '') as number | string,
  onChange: (value: number | string) =>
    form.set({ [name]: value === '' ? null : Number(value) } as Partial<V>),
  error: form.error(path),
});

/** The same for a select. */
export const choiceField = <V extends object>(
  form: FormState<V>,
  name: keyof V & string,
  path = `/${name}`,
) => ({
  value: (form.values[name] ?? null) as string | null,
  onChange: (value: string | null) => form.set({ [name]: value } as Partial<V>),
  error: form.error(path),
});

/** The same for a checkbox or switch. */
export const switchField = <V extends object>(form: FormState<V>, name: keyof V & string) => ({
  checked: Boolean(form.values[name]),
  onChange: (event: { currentTarget: { checked: boolean } }) =>
    form.set({ [name]: event.currentTarget.checked } as Partial<V>),
});

/** An empty input is null, not an empty text. */
export const textOrNull = (text: string | null | undefined): string | null => {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? null : trimmed;
};

/** Serial numbers one per line, or separated by commas or spaces. */
export const serialsOf = (text: string): string[] =>
  text
    .split(/[\s,;，；]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
