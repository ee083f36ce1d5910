/**
 * A `from` item with the organization `$1` as `alias.org_id`, for an insert that selects its rows. A database that is spread over
 * nodes by organization sends such an insert to the node of the organization: from a table's column it knows that all rows belong
 * there, from a bare parameter it does not. Only within a transaction of the organization: elsewhere its row is not seen, nothing
 * is inserted, and the transaction fails.
 */
export const organizationRow = (alias: string, org = '$1'): string => `${selectRow(org)} ${alias}`;

/** The same for an insert that is meant to add nothing unless the condition holds. */
export const organizationRowIf = (alias: string, condition: string): string =>
  `(select org_id from organizations where org_id = $1 and ${condition}) ${alias}`;

const selectRow = (org: string): string => `(select org_id from organizations where org_id = ${org})`;

/** Whether a statement that changed nothing may have missed the row of its organization. */
export const selectsOrganizationRow = (text: string): boolean => text.includes(selectRow('$1'));
