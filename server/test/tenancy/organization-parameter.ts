import { loadModule, parse } from 'libpg-query';

/** A node of a parsed statement, as PostgreSQL itself parses it: `{ SelectStmt: { … } }`. */
type Node = { readonly [name: string]: unknown };

interface Table {
  name: string;
  alias: string;
}

const ROWS = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt'];

const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value : []);
const at = (node: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((part, name) => (part as Node | undefined)?.[name], node);

/** The conditions of which each must hold. */
function conditionsIn(node: unknown): unknown[] {
  if (node === undefined) return [];
  return at(node, 'BoolExpr', 'boolop') === 'AND_EXPR'
    ? listOf(at(node, 'BoolExpr', 'args')).flatMap(conditionsIn)
    : [node];
}

const tableOf = (range: unknown): Table => {
  const name = String(at(range, 'relname'));
  return { name, alias: String(at(range, 'alias', 'aliasname') ?? name) };
};

/** The tables and join conditions of a `from`; what is selected within it is looked at by itself. */
function joined(items: readonly Node[]): { tables: Table[]; conditions: unknown[] } {
  const parts = items.map((item) => {
    if (item.RangeVar) return { tables: [tableOf(item.RangeVar)], conditions: [] };
    const join = item.JoinExpr as Node | undefined;
    if (!join) return { tables: [], conditions: [] };
    const { tables, conditions } = joined([join.larg as Node, join.rarg as Node]);
    return { tables, conditions: [...conditions, ...conditionsIn(join.quals)] };
  });
  return {
    tables: parts.flatMap((part) => part.tables),
    conditions: parts.flatMap((part) => part.conditions),
  };
}

const isParameter = (node: unknown): boolean =>
  at(node, 'ParamRef') !== undefined ||
  (at(node, 'TypeCast') !== undefined && isParameter(at(node, 'TypeCast', 'arg')));

/** Whether it is `org_id = $n` for this table, in either direction. Without an alias it is that of the only table. */
function givesOrganization(condition: unknown, { alias }: Table, isOnly: boolean): boolean {
  const isEquality =
    at(condition, 'A_Expr', 'kind') === 'AEXPR_OP' &&
    at(listOf(at(condition, 'A_Expr', 'name'))[0], 'String', 'sval') === '=';
  if (!isEquality) return false;
  const isColumn = (node: unknown) => {
    const names = listOf(at(node, 'ColumnRef', 'fields')).map((field) => at(field, 'String', 'sval'));
    return names.at(-1) === 'org_id' && (names.length === 1 ? isOnly : names.at(-2) === alias);
  };
  const sides = [at(condition, 'A_Expr', 'lexpr'), at(condition, 'A_Expr', 'rexpr')];
  return sides.some(isColumn) && sides.some(isParameter);
}

/** The names that a `with` gives; they are no tables. */
const namedBy = (statement: Node): string[] =>
  listOf(at(statement, 'withClause', 'ctes')).map((each) => String(at(each, 'CommonTableExpr', 'ctename')));

function without(
  guarded: ReadonlySet<string>,
  kind: string,
  statement: Node,
  known: readonly string[],
): string[] {
  const names = [...known, ...namedBy(statement)];
  const from = joined([...listOf(statement.fromClause), ...listOf(statement.usingClause)]);
  const changed = kind === 'UpdateStmt' || kind === 'DeleteStmt' ? [tableOf(statement.relation)] : [];
  const tables = [...changed, ...from.tables];
  const conditions = [...from.conditions, ...conditionsIn(statement.whereClause)];
  const missing = tables.filter(
    (table) =>
      guarded.has(table.name) &&
      !names.includes(table.name) &&
      !conditions.some((each) => givesOrganization(each, table, tables.length === 1)),
  );
  return [...missing.map(({ name }) => name), ...within(guarded, statement, names)];
}

/** The same for every statement within this part of one. */
function within(guarded: ReadonlySet<string>, part: unknown, names: readonly string[]): string[] {
  if (Array.isArray(part)) return part.flatMap((each) => within(guarded, each, names));
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    if (ROWS.includes(name)) return without(guarded, name, value, names);
    // The two sides of a union are not wrapped.
    if ((name === 'larg' || name === 'rarg') && at(value, 'targetList'))
      return without(guarded, 'SelectStmt', value, names);
    return within(guarded, value, names);
  });
}

/** The rows that an insert adds: those of a select, of each side of a union, or a list of values. */
const sourcesOf = (source: unknown): Node[] => {
  const sides = [at(source, 'larg'), at(source, 'rarg')].filter((side) => side !== undefined);
  return sides.length > 0 ? sides.flatMap(sourcesOf) : [source as Node];
};

/** Whether a `from` item named `alias` has an `org_id` that is a table's column; one of an array or a `with` is not. */
function hasTablesOrganization(guarded: ReadonlySet<string>, item: Node, alias: string | undefined): boolean {
  const join = item.JoinExpr as Node | undefined;
  if (join) return [join.larg, join.rarg].some((side) => hasTablesOrganization(guarded, side as Node, alias));
  const isNamed = (name: unknown) => alias === undefined || name === alias;
  if (item.RangeVar) {
    const table = tableOf(item.RangeVar);
    return guarded.has(table.name) && isNamed(table.alias);
  }
  const query = at(item, 'RangeSubselect', 'subquery', 'SelectStmt') as Node | undefined;
  return (
    query !== undefined &&
    isNamed(at(item, 'RangeSubselect', 'alias', 'aliasname')) &&
    listOf(query.targetList).some((target) =>
      isTablesOrganization(guarded, query, at(target, 'ResTarget', 'val')),
    )
  );
}

/** Whether a value is the `org_id` of a table that the query reads. */
function isTablesOrganization(guarded: ReadonlySet<string>, query: Node, value: unknown): boolean {
  const names = listOf(at(value, 'ColumnRef', 'fields')).map((field) => at(field, 'String', 'sval'));
  const alias = names.length === 1 ? undefined : String(names.at(-2));
  return (
    names.at(-1) === 'org_id' &&
    listOf(query.fromClause).some((item) => hasTablesOrganization(guarded, item, alias))
  );
}

const contains = (part: unknown, kinds: readonly string[]): boolean =>
  typeof part === 'object' &&
  part !== null &&
  Object.entries(part).some(([name, value]) => kinds.includes(name) || contains(value, kinds));

/** Whether one node can take this insert as it is. */
function staysOnNode(guarded: ReadonlySet<string>, insert: Node): boolean {
  if (contains(insert.withClause, ['InsertStmt', 'UpdateStmt', 'DeleteStmt'])) return false;
  const place = listOf(insert.cols).findIndex((column) => at(column, 'ResTarget', 'name') === 'org_id');
  return sourcesOf(at(insert, 'selectStmt', 'SelectStmt')).every((source) =>
    source.valuesLists
      ? !contains(source.valuesLists, ['SubLink'])
      : isTablesOrganization(guarded, source, at(listOf(source.targetList)[place], 'ResTarget', 'val')),
  );
}

/** Every insert within this part of a statement. */
function insertsIn(part: unknown): Node[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => [
    ...(name === 'InsertStmt' ? [value as Node] : []),
    ...insertsIn(value),
  ]);
}

/**
 * The tables of organizations that a statement inserts into by way of the node that received it, in alphabetical order. A node
 * takes an insert of values, without a sub-select, and one of a select whose organization is a column of a table: of a bare
 * parameter the database does not know that all rows are of one organization.
 */
export async function insertsBetweenNodes(text: string, guarded: ReadonlySet<string>): Promise<string[]> {
  await loadModule();
  const { stmts } = (await parse(text)) as { stmts: { stmt: Node }[] };
  const moved = stmts
    .flatMap(({ stmt }) => insertsIn(stmt))
    .filter((insert) => guarded.has(tableOf(insert.relation).name) && !staysOnNode(guarded, insert));
  return [...new Set(moved.map(({ relation }) => tableOf(relation).name))].sort();
}

/**
 * The tables of organizations that a statement uses without `org_id = $n` for this very table, in alphabetical order. A database
 * that is spread over nodes by organization does not follow an equality through a join or into a sub-select.
 */
export async function tablesWithoutParameter(text: string, guarded: ReadonlySet<string>): Promise<string[]> {
  await loadModule();
  const { stmts } = (await parse(text)) as { stmts: { stmt: Node }[] };
  return [...new Set(stmts.flatMap(({ stmt }) => within(guarded, stmt, [])))].sort();
}
