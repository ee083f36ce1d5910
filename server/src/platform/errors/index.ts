import type { Principal } from '../principal.js';

/** The closed table of failures: every failure under `/v2` is one of these six rows. */
export const ERROR_ROWS = {
  invalid: { status: 400, code: 1001, message: 'invalid request parameters' },
  unauthenticated: { status: 401, code: 1002, message: 'API key invalid or expired' },
  forbidden: { status: 403, code: 1003, message: 'insufficient permission' },
  missing: { status: 404, code: 1004, message: 'resource does not exist' },
  limited: { status: 429, code: 1005, message: 'request rate limit exceeded' },
  internal: { status: 500, code: 9999, message: 'internal server error' },
} as const;

export type ErrorKind = keyof typeof ERROR_ROWS;

export interface Issue {
  /** A JSON Pointer into the body, or the name of a query parameter, path parameter or header. */
  path: string | null;
  reason: string;
  message: string;
  /** The quantity that the customer holds, for a refused return. */
  held?: number;
}

/** A failure meant for the caller. Any other error is a defect or an outage, and its details stay inside. */
export class ApiError extends Error {
  readonly kind: ErrorKind;
  readonly issues: readonly Issue[];
  readonly headers: Readonly<Record<string, string>>;
  /** The caller, if it was refused before it became the principal of its request. */
  refused: Principal | null = null;

  constructor(
    kind: ErrorKind,
    issues: readonly Issue[],
    options: { headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(issues[0]?.message ?? ERROR_ROWS[kind].message, { cause: options.cause });
    this.kind = kind;
    this.issues = issues;
    this.headers = options.headers ?? {};
  }
}

/** The refusal of a business rule. Unlike other failures it is a result and is stored under an Idempotency-Key. */
export class Refusal extends ApiError {
  constructor(issues: readonly Issue[]) {
    super('invalid', issues);
  }
}

/** The meaning and remedy of a reason; the error guide is generated from these. */
interface ReasonInfo {
  kind: ErrorKind;
  meaning: string;
  remedy: string;
}
export type Reasons = Readonly<Record<string, ReasonInfo>>;

/** Creates the refuse function of a slice, which accepts only the reasons of its closed list. */
export function refusalOf<R extends Reasons>(reasons: R) {
  return (
    reason: keyof R & string,
    path: string | null,
    message?: string,
    facts: Pick<Issue, 'held'> = {},
  ): Refusal =>
    new Refusal([{ path, reason, message: message ?? reasons[reason]?.meaning ?? reason, ...facts }]);
}

/** No route matches this path and method. */
export const noSuchPath = (): ApiError => new ApiError('missing', []);

/**
 * Nothing of this kind has the identity given by `parameter`. The text is the same whether the object does not exist or
 * belongs to somebody else, and repeats nothing of the request.
 */
export const missing = (kind: string, parameter: string | null): ApiError =>
  new ApiError('missing', [notFound(kind, parameter)]);

export function notFound(kind: string, parameter: string | null): Issue {
  const what = `${kind.charAt(0).toUpperCase()}${kind.slice(1)} not found.`;
  const check = parameter === null ? '' : ` Check ${parameter}: your organization has no such ${kind}.`;
  return { path: parameter, reason: 'not_found', message: what + check };
}

export const commonReasons = {
  not_found: {
    kind: 'missing',
    meaning: 'your organization has nothing with this identifier',
    remedy:
      'Correct the parameter named by `path`. Objects of other organizations are reported as not found too.',
  },
  unknown_reference: {
    kind: 'invalid',
    meaning: 'the body refers to something that does not exist',
    remedy:
      'Create the named object first, or correct the code at `path`. All such references of a body are listed.',
  },
  illegal_date: {
    kind: 'invalid',
    meaning: 'the date contradicts another date',
    remedy: 'Correct the date at `path`; `message` names both dates.',
  },
  transition_not_allowed: {
    kind: 'invalid',
    meaning: 'the current status does not allow this step',
    remedy:
      'Read the resource: `message` names its status. The guide "States" lists the allowed transitions.',
  },
} as const satisfies Reasons;

/** `what` is the subject of the sentence: "Batch B1 of product P-1". */
export const unknownReference = (path: string, what: string, remedy: string): Issue => ({
  path,
  reason: 'unknown_reference',
  message: `${what} does not exist. ${remedy}`,
});

/** Throws one refusal with all issues, if there are any. */
export function refuseAny(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new Refusal(issues);
}

/** Refuses a date or an instant that contradicts another: `message` names both. */
export const refuseDate = (path: string, message: string): Refusal =>
  refusalOf(commonReasons)('illegal_date', path, message);

const RETRY = 'Send the request again, with the same `Idempotency-Key`, after the seconds in `Retry-After`.';

/** Why the service temporarily cannot do something. Nothing was changed. */
export const unavailableReasons = {
  overloaded: {
    kind: 'internal',
    meaning: 'more requests are waiting than can be answered in time',
    remedy: `${RETRY} Send fewer at once.`,
  },
  record_locked: {
    kind: 'internal',
    meaning: 'other requests are changing the same records',
    remedy: `${RETRY} Send changes of one product or document one after the other.`,
  },
  too_slow: {
    kind: 'internal',
    meaning: 'the request took longer than allowed',
    remedy: `${RETRY} Ask for less at once, for instance fewer rows or a shorter period.`,
  },
  database_unavailable: {
    kind: 'internal',
    meaning: 'the database cannot be reached',
    remedy: RETRY,
  },
  database_read_only: {
    kind: 'internal',
    meaning: 'the database accepts no changes now; reading works',
    remedy: `${RETRY} If it lasts, the operator has to look at the database.`,
  },
  storage_full: {
    kind: 'internal',
    meaning: 'the disk of the database is full; reading works',
    remedy: `${RETRY} The operator has to make room.`,
  },
  shutting_down: {
    kind: 'internal',
    meaning: 'this process is about to stop',
    remedy:
      'Only `/readyz` says so: send requests to another process. Those that still arrive here are answered.',
  },
} as const satisfies Reasons;
export type UnavailableReason = keyof typeof unavailableReasons;

const RETRY_AFTER_SECONDS: Readonly<Record<UnavailableReason, number>> = {
  overloaded: 1,
  record_locked: 1,
  too_slow: 5,
  database_unavailable: 1,
  database_read_only: 5,
  storage_full: 30,
  shutting_down: 1,
};

/** The caller may retry the same request shortly. */
export class Unavailable extends ApiError {
  readonly reason: UnavailableReason;

  constructor(reason: UnavailableReason, cause: unknown) {
    super('internal', [{ path: null, reason, message: unavailableReasons[reason].meaning }], {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS[reason]) },
      cause,
    });
    this.reason = reason;
  }
}
