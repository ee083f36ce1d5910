/**
 * Finds the tables named in SQL text. Not a grammar: it sees every table after `from`, `join`, `into`, `update`, `using`,
 * `truncate` and `lock`, and skips interpolations (`${…}`), quoted text and comments.
 */

/** Stands where a template string computes something. */
export const HOLE = '¤';

const statementStart =
  /^\s*(?:with|select|insert\s+into|update|delete\s+from|merge\s+into|lock|truncate|copy)\b/i;
const fragment =
  /\bselect\b[\s\S]*\bfrom\b|\bfrom\b[\s\S]*\bwhere\b|\bjoin\b[\s\S]*\bon\b|\binsert\s+into\b|\bdelete\s+from\b|\bupdate\b[\s\S]*\bset\b/i;
const sourceFragment =
  /^\s*[a-z_][a-z_0-9]*(?:\s+(?:as\s+)?[a-z_][a-z_0-9]*)?\s+(?:(?:left|inner|cross|right|full)\s+)*join\b/i;

/** A sentence such as "Update a user" begins with a capital; SQL is written in one case. */
const isSentence = (text) => /^\s*[A-Z][a-z]/.test(text);

export const looksLikeSql = (text) => isStatement(text) || fragment.test(text) || sourceFragment.test(text);
export const isStatement = (text) => statementStart.test(text) && !isSentence(text);

function tokenize(text) {
  const pattern =
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"(?:\."[^"]*")*|\$\d+|[A-Za-z_¤][\w.¤$]*|\d+(?:\.\d+)?|[(),;]|\S/g;
  return [...text.matchAll(pattern)].map(([token]) => token).filter((token) => !/^(?:--|\/\*)/.test(token));
}

const isName = (token) => token !== undefined && /^[A-Za-z_][\w.]*$/.test(token);
const word = (token) => token?.toLowerCase();
/** Functions of which `from` is part of the call. */
const takesFrom = new Set(['extract', 'substring', 'trim', 'overlay', 'position']);
const beforeTable = new Set(['from', 'join', 'into', 'update', 'using']);
const notBeforeTable = new Set(['distinct', 'for', 'key', 'do', 'on', 'share']);
const between = new Set(['only', 'lateral', 'table']);
/** Words that follow a table and are not its alias. */
const clauses = new Set(
  `on where set join left right full inner cross natural order group limit offset having union except intersect returning for
   using values select window fetch tablesample default in with`.split(/\s+/),
);

/** Position behind a parenthesis that opens at `at`. */
function behindParenthesis(tokens, at) {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    if (tokens[i] === '(') depth++;
    else if (tokens[i] === ')' && --depth === 0) return i + 1;
  }
  return tokens.length;
}

/** Tables of a list that begins at `at`: `a, b as x, lateral (…) y, f(…) z(…)`. What is in parentheses is walked by the caller. */
function namesOfList(tokens, at, found) {
  let i = at;
  for (;;) {
    while (between.has(word(tokens[i]))) i++;
    if (tokens[i] === '(') i = behindParenthesis(tokens, i);
    else if (isName(tokens[i])) {
      const isCall = tokens[i + 1] === '(' && word(tokens[at - 1]) !== 'into';
      if (!isCall) found.push(tokens[i].toLowerCase().replace(/^(?:lotward|public)\./, ''));
      i++;
      if (isCall) i = behindParenthesis(tokens, i);
    } else if (tokens[i]?.includes(HOLE)) {
      i++;
      if (tokens[i] === '(') i = behindParenthesis(tokens, i);
    } else return;
    if (word(tokens[i]) === 'as') i++;
    if ((isName(tokens[i]) || tokens[i]?.includes(HOLE)) && !clauses.has(word(tokens[i]))) i++;
    if (tokens[i] === '(') i = behindParenthesis(tokens, i);
    if (tokens[i] !== ',') return;
    i++;
  }
}

/** Names of tables, in the order in which they stand; names of CTEs are among them. */
export function tablesIn(text) {
  const tokens = tokenize(text);
  const found = [];
  const openers = [];
  if (sourceFragment.test(text) && !isStatement(text)) found.push(tokens[0].toLowerCase());
  tokens.forEach((token, i) => {
    if (token === '(') openers.push(word(tokens[i - 1]));
    else if (token === ')') openers.pop();
    const before = word(tokens[i - 1]);
    const isFirst = i === 0 && ['truncate', 'lock'].includes(word(token));
    if (!isFirst && (!beforeTable.has(word(token)) || notBeforeTable.has(before))) return;
    if (word(token) === 'from' && takesFrom.has(openers.at(-1))) return;
    namesOfList(tokens, i + 1, found);
  });
  return found;
}

/** Names that a text gives to its own queries: `with x as (…), y (a, b) as materialized (…)`. */
export function cteNamesIn(text) {
  const pattern =
    /(?:\bwith(?:\s+recursive)?|,|^|¤)\s*([a-z_][a-z_0-9]*)\s*(?:\([^()]*\))?\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/gi;
  return [...text.matchAll(pattern)].map(([, name]) => name.toLowerCase());
}

/** Names of the functions called. */
export const callsIn = (text) =>
  [...text.matchAll(/\b([a-z_][a-z_0-9]*)\s*\(/gi)].map(([, name]) => name.toLowerCase());
