import type { Filter, ListPage } from './filter.js';
import { composedStatement, type Statement, unnamedStatement } from './statement.js';

interface Reads {
  query<R extends object>(statement: Statement, values: readonly unknown[]): Promise<R[]>;
}

/** The SQL of a list: `rows` reads a page; `counted` has the same conditions, no order, and any columns. */
interface ListText {
  rows: string;
  counted: string;
}

/** Reads a page, or counts the rows that match the same conditions, up to the limit of the page. */
export async function listRows<R extends object>(
  from: Reads,
  page: ListPage,
  filter: Filter,
  { rows, counted }: ListText,
): Promise<R[]> {
  if (page.onCount === undefined) return from.query<R>(filteredStatement(filter, rows), filter.values);
  page.onCount(await countRows(from, filter, counted));
  return [];
}

/** `counted`: a statement with the conditions of a list and its limit. */
export async function countRows(from: Reads, filter: Filter, counted: string): Promise<number> {
  const text = `select count(*)::integer as count from (${counted}) counted`;
  const [row] = await from.query<{ count: number }>(filteredStatement(filter, text), filter.values);
  return row?.count ?? 0;
}

/** SQL with the conditions of a filter: prepared, unless its values determine the plan. */
export const filteredStatement = ({ isSelective }: Filter, text: string): Statement =>
  isSelective ? unnamedStatement(text) : composedStatement(text);
