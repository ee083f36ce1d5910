/** One problem of a request. */
export interface Issue {
  /** A JSON Pointer into the body, or the name of a parameter or header. */
  path: string | null;
  /** A stable code to program against, such as `insufficient_stock`. */
  reason: string;
  /** An explanation for people. Its text may change. */
  message: string;
}

/** The service rejected a request. */
export class LotwardError extends Error {
  override readonly name = 'LotwardError';
  /** The HTTP status. */
  readonly status: number;
  /** The error code of the API: 1001 to 1005, or 9999. */
  readonly code: number;
  /** All problems of the request; may be empty. */
  readonly errors: readonly Issue[];
  /** Identifies the request in the log of the service. Quote it when you ask for support. */
  readonly requestId: string | null;
  /** How long the service asks to wait before the next attempt. */
  readonly retryAfterMs: number | null;

  constructor(answer: {
    status: number;
    code: number;
    message: string;
    errors?: readonly Issue[];
    requestId?: string | null;
    retryAfterMs?: number | null;
  }) {
    const [first] = answer.errors ?? [];
    super(first ? `${answer.message}: ${first.message}` : answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.errors = answer.errors ?? [];
    this.requestId = answer.requestId ?? null;
    this.retryAfterMs = answer.retryAfterMs ?? null;
  }

  /** The reason of the first problem; {@link has} looks at all of them. */
  get reason(): string | null {
    return this.errors[0]?.reason ?? null;
  }

  /** Whether one of the problems has this reason. */
  has(reason: string): boolean {
    return this.errors.some((issue) => issue.reason === reason);
  }
}

/** No response: the network failed or the request timed out. Whether it took effect is unknown. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
