/** One thing that was wrong with a call. */
export interface Issue {
  /** A JSON Pointer into the body, or the name of a parameter or header. */
  path: string | null;
  /** A stable word to program against. */
  reason: string;
  message: string;
}

/** The service answered, and the answer is no. */
export class LotwardError extends Error {
  override readonly name = 'LotwardError';
  readonly status: number;
  /** 1001 to 1005, or 9999. */
  readonly code: number;
  readonly errors: readonly Issue[];
  /** Names this call in the log of the service. */
  readonly requestId: string | null;
  /** How long the service asks to wait before the next try. */
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

  /** The first reason; `has` looks at all of them. */
  get reason(): string | null {
    return this.errors[0]?.reason ?? null;
  }

  has(reason: string): boolean {
    return this.errors.some((issue) => issue.reason === reason);
  }
}

/** The service gave no answer: the network failed, or it took too long. Whether the call had an effect is not known. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}
