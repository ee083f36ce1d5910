import type { SCOPES } from '../../../src/access/index.js';
import type { Codes, Makes, World } from '../world.js';

export type Scope = (typeof SCOPES)[number];

export interface Request {
  path: string;
  body?: unknown;
  /** Given if the body is not JSON. */
  contentType?: string;
}

/** The response for something that does not exist, or exists only in another organization. */
export interface Answered {
  status: 200 | 400 | 404;
  code: 0 | 1001 | 1004;
  reason?: string;
  /** The outcome of the only item of a batch. */
  item?: { status: 200 | 400; code?: number; errors?: { reason: string | undefined }[] };
}
export const MISSING: Answered = { status: 404, code: 1004, reason: 'not_found' };
export const UNKNOWN_REFERENCE: Answered = { status: 400, code: 1001, reason: 'unknown_reference' };
/** A list or a sum without it. */
export const EMPTY: Answered = { status: 200, code: 0 };
/** Codes are unique within an organization: a PUT creates the record even if another organization has that code. */
export const CREATED: Answered = { status: 200, code: 0 };

/** A place in the request where something of an organization is named. */
interface Naming {
  kind: keyof Codes;
  /** The rest of the request is of `ours`. */
  request: (code: string, ours: Codes) => Request;
  ifNotOurs: Answered;
  /** Creates a new record for either organization, for requests that succeed only once. */
  fresh?: (make: Makes) => Promise<string>;
}

/** One route: who may call it, a request that succeeds, and everything such a request can name. */
export interface ExpectedRoute {
  route: `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${'stream' | `${'v2' | 'labels' | 'exports' | 'files'}/${string}`}`;
  /** The response is a file or a stream, not the envelope. */
  file?: true;
  /** The file may be kept by the caller, who asks whether it has changed. */
  kept?: true;
  /** Null: any credential will do. */
  scope: Scope | null;
  /** Further scopes that the content of this request needs. */
  alsoNeeds?: readonly Scope[];
  customerBound: 'allowed' | 'refused';
  /** Only for people at the console; `unfinished`: also before they gave their second factor. */
  console?: 'only' | 'unfinished';
  /** The second factor must have been given within five minutes. */
  stepUp?: true;
  /** Needs no credential. */
  open?: true;
  /** Reasons that prove admission, for requests that do not succeed for every credential. */
  letIn?: readonly string[];
  /** It cannot be used again afterwards. */
  endsCredential?: true;
  /** Succeeds (or is refused as `letIn` says) for the organization `ours`, any number of times. */
  request: (world: World) => Request | Promise<Request>;
  names: readonly Naming[];
}

export const named = (
  kind: keyof Codes,
  request: (code: string, ours: Codes) => Request | string,
  ifNotOurs: Answered,
  fresh?: Naming['fresh'],
): Naming => ({
  kind,
  ifNotOurs,
  ...(fresh ? { fresh } : {}),
  request: (code, ours) => {
    const made = request(code, ours);
    return typeof made === 'string' ? { path: made } : made;
  },
});

export const at = (path: string) => () => ({ path });
export const post = (path: string, body: object) => ({ path, body });
export const withProduct = (lines: readonly object[], productCode: string) =>
  lines.map((line) => ({ ...line, productCode }));
