/**
 * Joins the row that `condition` finds by its key, for a statement that looks up many keys. With a plain join, the planner
 * may instead read all rows of the organization and discard the others. It does so while its statistics still show a small
 * table, and then reads everything an organization has for each requested row. `offset 0` makes it look up each row by
 * itself.
 */
export const joinEach = (table: string, alias: string, condition: string): string =>
  `join lateral (select * from ${table} ${alias} where ${condition} offset 0) ${alias} on true`;
