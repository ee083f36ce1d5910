/**
 * A `from` item with the organization `$1` as `alias.org_id`, for an insert that selects its rows. A database that is spread
 * over nodes sends such an insert to the organization's node: a table's column shows that all rows belong there, a bare
 * parameter does not. Only within a transaction of the organization: elsewhere its row is not visible, nothing is inserted,
 * and the transaction fails.
 */
export const organizationRow = (alias: string, org = '$1'): string => `${selectRow(org)} ${alias}`;

/** The same for an insert that intentionally adds nothing unless the condition holds. */
export const organizationRowIf = (alias: string, condition: string): string =>
  `(select org_id from organizations where org_id = $1 and ${condition}) ${alias}`;

const selectRow = (org: string): string => `(select org_id from organizations where org_id = ${org})`;

/** Whether a statement that changed nothing may have failed to see the row of its organization. */
export const selectsOrganizationRow = (text: string): boolean => text.includes(selectRow('$1'));
