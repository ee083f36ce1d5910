/**
 * Splits a migration into its statements, because a distributed PostgreSQL takes one per call. Recognizes comments, quoted
 * text and dollar-quoted function bodies; nothing else contains a semicolon in our files.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let at = 0;
  while (at < sql.length) {
    const rest = sql.slice(at, at + 2);
    if (rest === '--') at = endOf(sql, '\n', at);
    else if (rest === '/*') at = endOf(sql, '*/', at);
    else if (sql[at] === "'") at = endOf(sql, "'", at + 1);
    else if (sql[at] === '"') at = endOf(sql, '"', at + 1);
    else if (rest === '$$') at = endOf(sql, '$$', at + 2);
    else {
      if (sql[at] === ';') {
        statements.push(sql.slice(start, at).trim());
        start = at + 1;
      }
      at++;
    }
  }
  const last = sql.slice(start).replace(/--.*$/gm, '').trim();
  if (last !== '') throw new Error(`statement without a semicolon: ${last.slice(0, 80)}`);
  return statements;
}

function endOf(sql: string, mark: string, from: number): number {
  const at = sql.indexOf(mark, from);
  return at === -1 ? sql.length : at + mark.length;
}
