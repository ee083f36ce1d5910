/** SQL for rows of one organization (`org` is a parameter such as `$1`), for use in place of a table. */
export type PublishedRows = (org?: string) => string;

/**
 * Publishes rows of a table for joins by other slices: `select` names the table and the columns they may read. PostgreSQL
 * plans the subquery as if it were the table. Without `org`, a statement covers several organizations and must join by
 * `org_id` itself.
 */
export const publishedRows =
  (select: string): PublishedRows =>
  (org) =>
    `(${select}${org === undefined ? '' : ` where org_id = ${org}`})`;
