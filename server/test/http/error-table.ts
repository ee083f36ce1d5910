import { expect } from 'vitest';

/** The table of the interface, word for word: every response under `/v2` is one of these rows. */
export const TABLE: Readonly<Record<number, { code: number; message: string }>> = {
  200: { code: 0, message: 'success' },
  400: { code: 1001, message: 'invalid request parameters' },
  401: { code: 1002, message: 'API key invalid or expired' },
  403: { code: 1003, message: 'insufficient permission' },
  404: { code: 1004, message: 'resource does not exist' },
  429: { code: 1005, message: 'request rate limit exceeded' },
  500: { code: 9999, message: 'internal server error' },
};

export interface Received {
  status: number;
  /** By lower-case name. */
  headers: Readonly<Record<string, string | undefined>> | Headers;
  text: string;
}

export const headerOf = ({ headers }: Pick<Received, 'headers'>, name: string): string | undefined =>
  headers instanceof Headers ? (headers.get(name) ?? undefined) : headers[name];

/** A stack, a file of ours, a statement or a word of the driver's: nothing a caller should ever read. */
const INSIDES =
  /\n\s+at |\.(?:ts|js|mjs|sql):\d|node_modules|\/src\/|\$\d+\b|lotward\.|relation "|syntax error|ECONN|postgres/i;

/** Differences between a response and its row of the table; empty if there are none. */
export function faultsOf(answer: Received): string[] {
  const row = TABLE[answer.status];
  if (!row) return [`status ${answer.status} is not in the table`];
  const faults: string[] = [];
  if (!headerOf(answer, 'x-request-id')) faults.push('no x-request-id');
  if (headerOf(answer, 'content-type') !== 'application/json; charset=utf-8') faults.push('content-type');
  let body: Record<string, unknown>;
  try {
    body = JSON.parse(answer.text);
  } catch {
    return [...faults, 'the body is not JSON'];
  }
  if (body.code !== row.code || body.message !== row.message) faults.push('code or message');
  return [...faults, ...(answer.status === 200 ? successFaults(body) : failureFaults(body, answer))];
}

const successFaults = (body: object): string[] =>
  Object.keys(body).join() === 'code,message,data' ? [] : [`fields ${Object.keys(body)}`];

function failureFaults(body: Record<string, unknown>, answer: Received): string[] {
  const faults: string[] = [];
  if (Object.keys(body).join() !== 'code,message,data,requestId,errors')
    faults.push(`fields ${Object.keys(body)}`);
  if (body.data !== null) faults.push('data is not null');
  if (body.requestId !== headerOf(answer, 'x-request-id')) faults.push('two request ids');
  const errors = Array.isArray(body.errors) ? (body.errors as Record<string, unknown>[]) : [];
  if (!Array.isArray(body.errors)) faults.push('errors is no list');
  for (const { path, reason, message, ...more } of errors) {
    const fine =
      (path === null || typeof path === 'string') &&
      /^[a-z][a-z0-9_]*$/.test(String(reason)) &&
      typeof message === 'string' &&
      Object.keys(more).length === 0;
    if (!fine) faults.push(`not an issue: ${JSON.stringify({ path, reason, message, ...more })}`);
  }
  if (answer.status === 400 && errors.length === 0) faults.push('a 400 without a reason');
  if (INSIDES.test(answer.text)) faults.push('shows its insides');
  return faults;
}

/** The response is exactly this error. */
export function expectFailure(
  answer: Received,
  status: number,
  errors: readonly { path: string | null; reason: string; message: string }[],
): void {
  expect({ status: answer.status, faults: faultsOf(answer) }).toEqual({ status, faults: [] });
  expect(JSON.parse(answer.text)).toEqual({
    ...TABLE[status],
    data: null,
    requestId: headerOf(answer, 'x-request-id'),
    errors,
  });
}
