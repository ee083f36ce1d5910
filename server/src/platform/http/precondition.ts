import { type Refusal, refusalOf } from '../errors/index.js';
import { invalid } from './json-body.js';
import { requestReasons } from './reasons.js';

/** A record as the API shows it, with the version that increases with each change of its content. */
export interface Versioned {
  version: number;
}

/** RFC 9110: `*`, or entity tags separated by commas. A list may have empty elements. */
const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const LIST = new RegExp(String.raw`^[\s,]*${TAG}(?:\s*,(?:\s*${TAG})?)*\s*$`);
const VERSION = /^"[1-9]\d*"$/;
const HEADER_MAX = 8_192;

const refuse = refusalOf(requestReasons);

/** The condition of `If-Match`: the caller changes a record only in the version it has seen. */
export class Precondition {
  /** The header as it was sent. */
  readonly text: string;
  readonly #tags: ReadonlySet<string> | null;
  readonly #etagsOf: (record: Versioned) => readonly string[];

  constructor(text: string, etagsOf: (record: Versioned) => readonly string[]) {
    this.text = text;
    this.#tags = text.trim() === '*' ? null : parseTags(text);
    this.#etagsOf = etagsOf;
  }

  /** Throws unless the record is one that the caller named. `current` is locked; null if there is none. */
  require(current: Versioned | null): void {
    if (current === null)
      throw refuse('version_mismatch', 'If-Match', 'Nothing exists here that could match.');
    if (this.#tags === null || this.#tags.has(`"${current.version}"`)) return;
    // The tags of the response are computed only for a caller that has sent one.
    const sent = [...this.#tags].filter((tag) => !VERSION.test(tag));
    if (sent.length > 0 && this.#etagsOf(current).some((tag) => sent.includes(tag))) return;
    throw mismatch(current);
  }
}

const mismatch = ({ version }: Versioned): Refusal =>
  refuse(
    'version_mismatch',
    'If-Match',
    `The current version is ${version}. Read it, apply your change to it and send that version.`,
  );

/** A weak tag matches nothing, as the comparison is a strong one. */
function parseTags(text: string): Set<string> {
  if (text.length > HEADER_MAX || !LIST.test(text))
    throw invalid(
      'bad_format',
      'If-Match',
      'must be a version in quotes, such as "7", an ETag, several of them separated by commas, or *',
    );
  return new Set(text.match(new RegExp(TAG, 'g')) ?? []);
}
