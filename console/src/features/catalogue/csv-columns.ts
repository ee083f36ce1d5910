import type { CsvCell } from '@lotward/client/csv';

/** A column of a file, as the service imports it. */
export interface CsvColumn<I> {
  /** The field's name in the API; a field of an object has a dot: `storage.temperatureMin`. */
  name: string;
  required?: true;
  example: string;
  write: (item: I) => CsvCell;
}
