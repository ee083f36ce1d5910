import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExamples } from '../../src/app/examples.js';
import { packageDirectory } from '../../src/platform/package-directory.js';
import type { Answer } from '../harness/index.js';
import type { Request } from './expected-answers/index.js';

/** `LOTWARD_RECORD_EXAMPLES=1` writes them, for a new route or a new field. */
const isRecording = process.env.LOTWARD_RECORD_EXAMPLES === '1';

/** The first two show that there can be more. */
const ITEMS_MAX = 2;

/** Fields that the service shows once. They open nothing, but a scanner for secrets cannot know that. */
const SECRETS = /^(apiKey|csrfToken|(\w+S|s)ecret|recoveryCodes)$/;
const masked = (value: unknown): unknown =>
  typeof value === 'string' ? `${/^(lwt?_\w{16}_|whsec_|lwcs_)?/.exec(value)?.[0]}…` : value;

function cut(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('OKAPI', 'ACME').replaceAll('okapi', 'acme');
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(cut);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, SECRETS.test(name) ? masked(part) : cut(part)]),
  );
}

type Json = { [name: string]: unknown };
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a response and of the first item of each list in it. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length > 0 ? fieldsOf(value[0], `${path}[]`) : [];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => [
    `${path}/${name}`,
    ...fieldsOf(part, `${path}/${name}`),
  ]);
}

/** The lists without an item: what their items would have is unknown. */
function emptyListsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.length > 0 ? emptyListsIn(value[0], `${path}[]`) : [`${path}[]`];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, part]) => emptyListsIn(part, `${path}/${name}`));
}

/** The fields near the top, as far as both sides can have them. */
function comparedFields(response: unknown, other: unknown): string {
  const unknown = [...emptyListsIn(response), ...emptyListsIn(other)];
  return fieldsOf(response)
    .filter((path) => path.split('/').length <= 4 && !unknown.some((list) => path.startsWith(list)))
    .sort()
    .join(' ');
}

/** Gathers real requests and responses, to compare them with the examples in the API document. */
export class RecordedExamples {
  readonly #given = new Map<string, { request?: unknown; response: unknown }>();

  note(operationId: string | undefined, { body }: Request, answer: Answer): void {
    if (operationId === undefined || answer.status !== 200 || Number.isNaN(answer.code)) return;
    if (this.#given.has(operationId)) return;
    const response = cut(JSON.parse(answer.text));
    this.#given.set(operationId, body === undefined ? { response } : { request: cut(body), response });
  }

  /** Operations whose example is missing, or has other fields than the response that the service gave. */
  outdated(): string[] {
    if (isRecording) this.#write();
    const kept = readExamples();
    return [...this.#given].flatMap(([operationId, { response }]) => {
      const example = kept[operationId];
      if (example === undefined) return [`${operationId}: no example`];
      const isAlike =
        comparedFields(example.response, response) === comparedFields(response, example.response);
      return isAlike ? [] : [`${operationId}: other fields`];
    });
  }

  #write(): void {
    const sorted = [...this.#given].sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(
      join(packageDirectory, 'examples.json'),
      `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`,
    );
  }
}
