import { vi } from 'vitest';
import { publishEvents } from '../../src/events/index.js';
import { type Database, statement, transact } from '../../src/platform/database/index.js';
import { Unavailable } from '../../src/platform/errors/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';

export interface WrittenEvent {
  orgId: string;
  /** In the event's data, and unlike that of any other. */
  orderNo: string;
  entity: string;
  version: number;
  customerCode: string | null;
  /** Monotonic, when its commit was known. */
  committedAtMs: number;
}

const ENTITIES = 20;
const GIVE_UP_AFTER_MS = 60_000;
const AGAIN_AFTER_MS = 100;
const stored = statement('select 1 from events where org_id = $1 and entity_id = $2 and entity_version = $3');

/**
 * Has events happen without the change they tell of, many at a time, through the same code and role. It never gives
 * up on one, and keeps its own log of what is stored.
 */
export class EventWriter {
  readonly log: WrittenEvent[] = [];
  /** Commits of which it was not known whether they had taken place, until it was looked up. */
  unknown = 0;
  /** Transactions that are under way. */
  open = 0;
  readonly #database: Database;
  readonly #written = new Map<string, number>();

  readonly #name: string;

  /** `name`: no other writer of the run has it. */
  constructor(database: Database, name = 'written') {
    this.#database = database;
    this.#name = name;
  }

  /** Resolves when all of them are stored, in one transaction. */
  async write(orgId: string, count: number, customerCode: string | null = null): Promise<WrittenEvent[]> {
    const events = Array.from({ length: count }, () => this.#next(orgId, customerCode));
    while (!(await this.#tried(orgId, events)));
    const committedAtMs = performance.now();
    for (const event of events) event.committedAtMs = committedAtMs;
    this.log.push(...events);
    return events;
  }

  #next(orgId: string, customerCode: string | null): WrittenEvent {
    const number = this.#written.get(orgId) ?? 0;
    this.#written.set(orgId, number + 1);
    const entity = `${this.#name}-${number % ENTITIES}`;
    const version = 1 + Math.floor(number / ENTITIES);
    return { orgId, entity, version, orderNo: `${entity}/${version}`, customerCode, committedAtMs: 0 };
  }

  async #tried(orgId: string, events: readonly WrittenEvent[]): Promise<boolean> {
    this.open++;
    try {
      await this.#publish(orgId, events);
      return true;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.unknown++;
    } finally {
      this.open--;
    }
    return this.#isStored(orgId, events[0]);
  }

  /** Repeats a request until there is a response. */
  #isStored(orgId: string, event: WrittenEvent | undefined): Promise<boolean> {
    return vi.waitFor(
      async () => {
        const found = await transact(this.#database, this.#principal(orgId), (tx) =>
          tx.query(stored, [orgId, event?.entity, event?.version]),
        );
        return found.length > 0;
      },
      { timeout: GIVE_UP_AFTER_MS, interval: AGAIN_AFTER_MS },
    );
  }

  readonly #principal = (orgId: string) => systemPrincipal(orgId, 'writer@test.example');

  async #publish(orgId: string, events: readonly WrittenEvent[]): Promise<void> {
    await transact(this.#database, this.#principal(orgId), (tx) =>
      publishEvents(
        tx,
        events.map(({ entity, version, orderNo, customerCode }) => ({
          type: 'order.status_changed',
          at: tx.now,
          entity: { type: 'order', id: entity, version },
          customerCode,
          data: {
            orderId: entity,
            orderNo,
            customerCode: customerCode ?? 'HOSP-2',
            previousStatus: 'pending_approval',
            currentStatus: 'approved',
            changedBy: tx.actor,
            changedAt: tx.now.toISOString(),
          },
        })),
      ),
    );
  }
}
