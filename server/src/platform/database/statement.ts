import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';

/** Publishes the text of every statement when it is created, so that a test can examine all of them. */
const made = channel('lotward:statement');

/** SQL that each connection prepares once: an unnamed statement costs three times as much per call. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export function statement(text: string): Statement {
  made.publish(text);
  return { name: createHash('sha1').update(text).digest('hex').slice(0, 20), text };
}

/** A statement that returns rows as arrays, which is cheaper for many small rows. */
export interface RowStatement extends Statement {
  readonly rowMode: 'array';
}

export const rowStatement = (text: string): RowStatement => ({ ...statement(text), rowMode: 'array' });

/** Planned for each set of values, for SQL that no generic plan suits. */
export function unnamedStatement(text: string): Statement {
  made.publish(text);
  return { name: '', text };
}

/** Cache for SQL composed of filters: the same combination gives the same prepared statement. */
const composed = new Map<string, Statement>();
export function composedStatement(text: string): Statement {
  let known = composed.get(text);
  if (!known) {
    known = statement(text);
    composed.set(text, known);
  }
  return known;
}
