/**
 * Joins the row of a table that `condition` finds by its key, for a statement that asks for many. Joined plainly, the planner may look
 * for the rows of the organization instead, and drop the others: it does so while it knows the table as it was when it was small, and
 * then reads everything an organization has for each row asked for. `offset 0` makes it find each row by itself.
 */
export const joinEach = (table: string, alias: string, condition: string): string =>
  `join lateral (select * from ${table} ${alias} where ${condition} offset 0) ${alias} on true`;
