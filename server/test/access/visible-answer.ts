import type { Answer } from '../harness/index.js';

/**
 * Everything of an answer that could tell a caller what exists: two answers that are equal here are the same to it. Left
 * out are the date and the generated request id, which differ anyway; `code` is what the request named.
 */
export function visibleAnswer(answer: Answer, code: string) {
  const { date: _date, 'x-lotward-request-id': _id, ...headers } = Object.fromEntries(answer.headers);
  return { status: answer.status, headers, text: answer.text.replaceAll(code, '<code>') };
}
