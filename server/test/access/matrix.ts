import { expect } from 'vitest';
import { type Answer, callApi, fullTier, newSession } from '../harness/index.js';
import { bearer, methodOf, type Sent, type Verdict } from './credential-states/index.js';
import { type ExpectedRoute, expectedAnswers, type Request } from './expected-answers/index.js';
import { FOREIGN_WORD, type World } from './world.js';

/** One that reads, and one that changes and needs a fresh second factor. */
const SAMPLE = ['GET /v2/products', 'POST /v2/settings/keys'];
/** The routes to test: all, or a few representative ones in mutation runs. */
const few = process.env.LOTWARD_MATRIX_ROUTES?.split(',');
// A name that fits no route would have the matrix look at nothing, and pass.
for (const name of [...SAMPLE, ...(few ?? [])])
  if (!expectedAnswers.some(({ route }) => route === name)) throw new Error(`no route is called ${name}`);
export const rowsToTry = few ? expectedAnswers.filter(({ route }) => few.includes(route)) : expectedAnswers;
export const closedRows = rowsToTry.filter((row) => !row.open);

/** Each credential is tried at these routes. At the others, those that are judged alike take turns. */
export const isTriedInFull = ({ route }: ExpectedRoute): boolean =>
  fullTier || few !== undefined || SAMPLE.includes(route);

/** Whether there are routes at which credentials take turns. */
export const isRotated = !closedRows.every(isTriedInFull);

/** Takes turns: the one taken least often so far comes next, so that each is taken in the end. */
export function turns<T>() {
  const taken = new Map<T, number>();
  const timesTaken = (each: T) => taken.get(each) ?? 0;
  return {
    timesTaken,
    next(from: readonly T[], count = 1): T[] {
      const chosen = [...from].sort((a, b) => timesTaken(a) - timesTaken(b)).slice(0, count);
      for (const each of chosen) taken.set(each, timesTaken(each) + 1);
      return chosen;
    },
  };
}

/** The same request id each time, so that any difference is one a caller could learn from. */
export const ask = (
  world: World,
  method: string,
  { path, body, contentType }: Request,
  sent: Sent,
): Promise<Answer> =>
  callApi(world.api.url, method, path, body, undefined, {
    'x-request-id': 'matrix',
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
    ...sent,
  });

/** Did the caller get as far as the route itself? */
function wasLetIn(row: ExpectedRoute, answer: Answer): boolean {
  const why = answer.status === 404 ? 'not there' : (answer.reason ?? '');
  return row.letIn?.includes(why) ?? false;
}

export const successOf = (row: ExpectedRoute) => ({ status: 200, code: row.file ? Number.NaN : 0 });

export function expectVerdict(row: ExpectedRoute, answer: Answer, verdict: Verdict, about = ''): void {
  if (verdict === 'success') {
    if (!wasLetIn(row, answer)) expect(answer, `${about} ${answer.text}`).toMatchObject(successOf(row));
    if (!row.open) expect(answer.headers.get('ratelimit-policy')).not.toBeNull();
  } else {
    const { status, code, reason } = verdict;
    expect(answer, `${about} ${answer.text}`).toMatchObject({ status, code, reason, data: null });
    expect(answer.headers.get('www-authenticate')).toBe('challenge' in verdict ? verdict.challenge : null);
  }
  expect(answer.headers.get('x-request-id')).toBe('matrix');
  const kept = row.kept && answer.status === 200;
  expect(answer.headers.get('cache-control')).toMatch(
    kept ? /^private, no-cache$/ : /^(private, )?no-store$/,
  );
  expect(answer.text).not.toContain(FOREIGN_WORD);
}

/** A credential that every request of the table succeeds with: at the console, of the administrator. */
export async function goodFor(world: World, row: ExpectedRoute): Promise<Sent> {
  if (!row.console) return bearer(world.organization.key);
  const person = await world.make.administrator();
  return (await newSession(world.db, world.organization.organization.orgId, { person })).headers;
}

export const send = async (world: World, row: ExpectedRoute, sent: Sent): Promise<Answer> =>
  ask(world, methodOf(row), await row.request(world), sent);

/** To make a request may take several others. Denials leave it as good as new, so that one does for all of them and a success. */
export class PreparedRequests {
  readonly #made = new Map<ExpectedRoute, Request | Promise<Request>>();

  async toBeDenied(world: World, row: ExpectedRoute): Promise<Request> {
    const made = this.#made.get(row) ?? row.request(world);
    this.#made.set(row, made);
    return made;
  }

  toSucceed(world: World, row: ExpectedRoute): Promise<Request> {
    const made = this.toBeDenied(world, row);
    this.#made.delete(row);
    return made;
  }
}
