import type { CsvCell } from '@lotward/client/csv';

/** Why a cell cannot be read; the dictionary has a text for each. */
export type CellProblem = 'notNumber' | 'notBoolean' | 'notChoice' | 'notPackage';

export interface CsvColumn<I> {
  /** The field's name in the API; a field of an object has a dot: `storage.temperatureMin`. */
  name: string;
  required?: true;
  /** The value to send to the API, or why the cell cannot be read. */
  read: (text: string) => { value: unknown } | { problem: CellProblem };
  write: (item: I) => CsvCell;
}

type Reader = CsvColumn<never>['read'];

export const asText: Reader = (text) => ({ value: text });
export const asNumber: Reader = (text) =>
  /^-?\d+(\.\d+)?$/.test(text) ? { value: Number(text) } : { problem: 'notNumber' };
export const asBoolean: Reader = (text) =>
  /^(true|false)$/i.test(text) ? { value: text.toLowerCase() === 'true' } : { problem: 'notBoolean' };
export const asOneOf =
  (choices: readonly string[]): Reader =>
  (text) =>
    choices.includes(text) ? { value: text } : { problem: 'notChoice' };
export const asSomeOf =
  (choices: readonly string[]): Reader =>
  (text) => {
    const values = parts(text);
    return values.every((each) => choices.includes(each)) ? { value: values } : { problem: 'notChoice' };
  };

/** `udiDi:level:quantity`, several separated by `;`. An identifier in front may itself hold colons. */
export const asPackaging: Reader = (text) => {
  const packages = parts(text).map((each) => /^(.+):([^:]+):(\d+)$/.exec(each));
  return packages.every((each) => each !== null)
    ? {
        value: packages.map(([, udiDi, level, quantity]) => ({
          udiDi: udiDi?.trim(),
          level: level?.trim(),
          quantity: Number(quantity),
        })),
      }
    : { problem: 'notPackage' };
};

const parts = (text: string): string[] =>
  text
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
