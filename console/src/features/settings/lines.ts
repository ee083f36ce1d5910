import type { FormState } from '../../ui/form.js';

/** Several values as people enter them: one per line. */
export type Lines = string;

export const linesOf = (text: Lines): string[] =>
  text
    .split(/[\s,]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** The service's error about the list, or about one of its lines with that line quoted. */
export function errorOfLines<V>(form: FormState<V>, path: string, text: Lines): string | undefined {
  for (const [row, line] of linesOf(text).entries()) {
    const said = form.error(`${path}/${row}`);
    if (said) return `${line}: ${said}`;
  }
  return form.error(path);
}
