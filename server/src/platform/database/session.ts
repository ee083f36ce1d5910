import type { Writable } from 'node:stream';
import pg from 'pg';
import { connectionLost } from './pool.js';

/**
 * One connection during a transaction. Statements are answered in the order they are sent, so one whose answer is not needed
 * shares a round trip with the next one. After a failure PostgreSQL refuses everything up to the rollback, so what was sent
 * after it has no effect.
 */
export class Session {
  readonly #client: pg.ClientBase;
  readonly #socket: Writable;
  #isGathering = false;
  /** Sent and not yet awaited. */
  #outstanding: Promise<pg.QueryResult>[] = [];
  /** The failure because of which PostgreSQL refuses everything sent after it. */
  #cause: unknown;
  #hasEnded = false;
  /** Why the connection can no longer be used. No more statements are sent then, because they could block forever. */
  lost: Error | undefined;

  constructor(client: pg.ClientBase) {
    this.#client = client;
    this.#socket = (client as unknown as { connection: { stream: Writable } }).connection.stream;
  }

  /** Fails with the error of the first failed statement, even an earlier one. */
  async run(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    const earlier = this.#takeOutstanding();
    const answer = this.#query(query);
    await Promise.all([...earlier, answer]);
    return answer;
  }

  send(query: string | pg.QueryConfig): void {
    const answer = this.#query(query);
    // The next await reports the error.
    answer.catch(() => {});
    this.#outstanding.push(answer);
  }

  /** Waits for everything that has been sent. */
  async settled(): Promise<void> {
    await Promise.all(this.#takeOutstanding());
  }

  /**
   * Commits, or rolls back. Later statements are refused: they would run outside the transaction, or in the next one on this
   * connection.
   */
  async commit(): Promise<pg.QueryResult> {
    const earlier = this.#takeOutstanding();
    const answer = this.#query('commit');
    this.#hasEnded = true;
    await Promise.all([...earlier, answer]);
    return answer;
  }

  async rollback(): Promise<void> {
    this.#hasEnded = false;
    const undone = this.undo('rollback');
    this.#hasEnded = true;
    await undone;
  }

  /** Rolls back. Never hides the original error: if it fails, the connection is not returned to the pool. */
  async undo(rollback: string): Promise<void> {
    this.#takeOutstanding();
    this.#cause = undefined;
    if (this.lost) return;
    await this.#query(rollback).catch((failure: Error) => {
      this.lost ??= failure;
    });
  }

  /** Statements sent before the program waits for anything go out in one packet; the driver would write each separately. */
  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      this.#socket.uncork();
    });
  }

  #takeOutstanding(): Promise<pg.QueryResult>[] {
    const outstanding = this.#outstanding;
    this.#outstanding = [];
    return outstanding;
  }

  async #query(query: string | pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.#hasEnded) throw new Error('a statement was sent after the end of its transaction');
    this.#gather();
    try {
      return await this.#client.query(query as pg.QueryConfig);
    } catch (error) {
      this.lost ??= connectionLost(error);
      if (this.#cause !== undefined && isRefusedBehindFailure(error)) throw this.#cause;
      this.#cause ??= error;
      throw error;
    }
  }
}

const isRefusedBehindFailure = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '25P02';
