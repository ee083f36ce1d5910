import { isDeepStrictEqual } from 'node:util';

/** For an update of a record with a version: the version moves exactly when `updated_at` does. */
export const noteChange = (table: string, at: string): string =>
  `updated_at = ${at}, version = ${table}.version + 1`;

interface Stamped {
  version: number;
  updatedAt: Date;
}

/** Whether saving `after` would change nothing. Such a write leaves the record, its version and the audit trail as they are. */
export const hasSameContent = <R extends Stamped>(before: R, after: R): boolean =>
  isDeepStrictEqual({ ...before, version: 0, updatedAt: 0 }, { ...after, version: 0, updatedAt: 0 });
