import type { FormState } from './form.js';

/** Value, change and error of an input of numbers. Nothing entered is null. */
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

/** The same of a choice. */
export const choiceField = <V extends object>(
  form: FormState<V>,
  name: keyof V & string,
  path = `/${name}`,
) => ({
  value: (form.values[name] ?? null) as string | null,
  onChange: (value: string | null) => form.set({ [name]: value } as Partial<V>),
  error: form.error(path),
});

/** The same of something that is so or not. */
export const switchField = <V extends object>(form: FormState<V>, name: keyof V & string) => ({
  checked: Boolean(form.values[name]),
  onChange: (event: { currentTarget: { checked: boolean } }) =>
    form.set({ [name]: event.currentTarget.checked } as Partial<V>),
});

/** Text that was not entered is nothing, not an empty text. */
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
