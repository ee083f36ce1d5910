import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '../clock/index.js';
import { parseUrl } from '../parse-url.js';
import type { AddressPolicy } from './address-policy.js';
import { type Attempt, type AttemptError, attemptError, excerptOf } from './attempt.js';
import { DeadlineQueue, type Expiring } from './deadline-queue.js';
import { guardedConnector, NoPendingRequest } from './guarded-connector.js';
import type { LookUp } from './look-up.js';

export interface Push {
  /** The owner of the push, so that one caller's receivers cost others nothing. */
  caller: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

export interface Sender {
  /** Posts once; never rejects. The caller limits the number of concurrent attempts. */
  send(push: Push): Promise<Attempt>;
  /** Ends all attempts as failed, and closes all connections. */
  close(): Promise<void>;
}

export interface SenderOptions {
  policy: AddressPolicy;
  /** Time limit of an attempt, from DNS, connection and TLS to the status. */
  timeoutMs: number;
  clock: Clock;
  lookUp: LookUp;
  /** Trusted in place of the usual certificate authorities. */
  ca?: string | undefined;
}

const RESPONSE_BYTES_MAX = 16 * 1024;
const EXCERPT_BYTES_MAX = 1000;
const HEADER_BYTES_MAX = 16 * 1024;
/** Interim (1xx) responses allowed before the final one; more are treated as abuse. */
const INTERIM_ANSWERS_MAX = 10;
const TARGETS_MAX = 10_000;

/** Shared, because it is never read and errors are costly to create. */
const ENDED = new Error('the attempt has ended');

interface Target {
  origin: string;
  path: string;
}

/** Operations shared by the attempts of one sender. */
interface Switchboard {
  deadlines: DeadlineQueue<OpenAttempt>;
  clock: Clock;
  /** Returns true if it opened a connection, false if it reused one. */
  dispatch(attempt: OpenAttempt, onFreshConnection: boolean): boolean;
}

/** One attempt in progress. undici calls its `on…` methods, even after it has ended. */
class OpenAttempt implements Expiring<OpenAttempt>, Dispatcher.DispatchHandler {
  earlier: OpenAttempt | null = null;
  later: OpenAttempt | null = null;
  readonly expiresAt: number;
  readonly target: Target;
  readonly push: Push;
  private readonly startedAt: number;
  private readonly switchboard: Switchboard;
  private readonly resolve: (attempt: Attempt) => void;
  private controller: Dispatcher.DispatchController | null = null;
  private ended = false;
  private onIdleConnection = false;
  private answerBegan = false;
  private interimAnswers = 0;
  private status: number | null = null;
  private durationMs = 0;
  private responseBytes = 0;
  private excerpt: Buffer | null = null;

  constructor(
    push: Push,
    target: Target,
    switchboard: Switchboard,
    times: { startedAt: number; expiresAt: number },
    resolve: (attempt: Attempt) => void,
  ) {
    this.expiresAt = times.expiresAt;
    this.push = push;
    this.target = target;
    this.startedAt = times.startedAt;
    this.switchboard = switchboard;
    this.resolve = resolve;
  }

  begin(): void {
    this.switchboard.deadlines.add(this);
    this.onIdleConnection = !this.switchboard.dispatch(this, false);
  }

  fail(error: AttemptError): void {
    if (this.status === null) this.durationMs = performance.now() - this.startedAt;
    this.end(this.status === null ? error : null);
    this.controller?.abort(ENDED);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.ended) controller.abort(ENDED);
    else this.controller = controller;
  }

  onResponseStarted(): void {
    this.answerBegan = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    if (this.ended) return;
    if (status < 200) {
      if (++this.interimAnswers > INTERIM_ANSWERS_MAX) this.fail('protocol');
      return;
    }
    const now = performance.now();
    if (now >= this.expiresAt) {
      this.fail('timeout');
      return;
    }
    this.status = status;
    this.durationMs = now - this.startedAt;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.ended) return;
    if (this.responseBytes < EXCERPT_BYTES_MAX) {
      // Copied, because the chunk is a window on a much larger buffer.
      const part = Buffer.from(chunk.subarray(0, EXCERPT_BYTES_MAX - this.responseBytes));
      this.excerpt = this.excerpt ? Buffer.concat([this.excerpt, part]) : part;
    }
    this.responseBytes += chunk.length;
    if (this.responseBytes < RESPONSE_BYTES_MAX) return;
    this.end(null);
    controller.abort(ENDED);
  }

  onResponseEnd(): void {
    if (!this.ended) this.end(null);
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    if (this.ended) return;
    const word = attemptError(error, this.controller !== null);
    // The partner closed an idle connection just as it was reused, which is not a failure of the push. Sending it twice is
    // harmless, because delivery is at least once anyway.
    const lost = word === 'connection_reset' || error instanceof NoPendingRequest;
    if (lost && this.onIdleConnection && !this.answerBegan) {
      this.onIdleConnection = false;
      this.controller = null;
      this.switchboard.dispatch(this, true);
    } else this.fail(word);
  }

  private end(error: AttemptError | null): void {
    this.ended = true;
    this.switchboard.deadlines.remove(this);
    const { status } = this;
    const redirected = status !== null && status >= 300 && status < 400;
    this.resolve({
      delivered: status !== null && status < 300,
      status,
      error: redirected ? 'redirect' : error,
      durationMs: Math.round(this.durationMs),
      endedAtMs: this.switchboard.clock.now().getTime(),
      responseExcerpt: this.excerpt && excerptOf(this.excerpt),
    });
  }
}

/** Cached, because parsing costs as much as the rest of an attempt and the same few URLs recur. */
function rememberedTargets(): (url: string) => Target | null {
  const targets = new Map<string, Target>();
  return (text) => {
    const known = targets.get(text);
    if (known) return known;
    const url = parseUrl(text);
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return null;
    const target = { origin: url.origin, path: `${url.pathname}${url.search}` };
    if (targets.size >= TARGETS_MAX) targets.clear();
    targets.set(text, target);
    return target;
  };
}

export function openSender({ policy, timeoutMs, clock, lookUp, ca }: SenderOptions): Sender {
  const connector = guardedConnector({ policy, connectMs: timeoutMs, lookUp, ca });
  const agentOptions = {
    connect: connector.connect,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Our own deadlines end an attempt in any state.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const keepingAlive = new Agent({ ...agentOptions, pipelining: 1 });
  const closingAfterUse = new Agent({ ...agentOptions, pipelining: 0 });
  const targetOf = rememberedTargets();
  let closed = false;

  const switchboard: Switchboard = {
    deadlines: new DeadlineQueue((attempt) => attempt.fail('timeout')),
    clock,
    dispatch: (attempt, onFreshConnection) =>
      connector.during(attempt.push.caller, () => {
        const { origin, path } = attempt.target;
        const { headers, body } = attempt.push;
        const agent = onFreshConnection ? closingAfterUse : keepingAlive;
        agent.dispatch({ origin, path, method: 'POST', headers, body }, attempt);
      }),
  };

  const failedAtOnce = (error: AttemptError): Attempt => ({
    delivered: false,
    status: null,
    error,
    durationMs: 0,
    endedAtMs: clock.now().getTime(),
    responseExcerpt: null,
  });

  return {
    send(push) {
      const target = targetOf(push.url);
      if (closed || target === null)
        return Promise.resolve(failedAtOnce(closed ? 'closed' : 'invalid_request'));
      return new Promise((resolve) => {
        const startedAt = performance.now();
        const times = { startedAt, expiresAt: startedAt + timeoutMs };
        new OpenAttempt(push, target, switchboard, times, resolve).begin();
      });
    },
    async close() {
      closed = true;
      for (const attempt of switchboard.deadlines.all()) attempt.fail('closed');
      connector.destroy();
      await Promise.all([keepingAlive.destroy(), closingAfterUse.destroy()]);
    },
  };
}
