import type { FormState } from '../../ui/form.js';

/** Several values as people enter them: one per line. */
export type Lines = string;

export const linesOf = (text: Lines): string[] =>
  text
    .split(/[\s,]+/)
    .map((each) => each.trim())
    .filter((each) => each !== '');

/** What the service says about the list, or about one of its lines, which is then named. */
export function errorOfLines<V>(form: FormState<V>, path: string, text: Lines): string | undefined {
  for (const [row, line] of linesOf(text).entries()) {
    const said = form.error(`${path}/${row}`);
    if (said) return `${line}: ${said}`;
  }
  return form.error(path);
}
