import { Unavailable, type UnavailableReason } from '../errors/index.js';
import type { RecentOwners } from './recent-owners.js';

export interface FairQueueLimits {
  /** Places in all. */
  atOnce: number;
  /** Places that one owner may hold: fewer than all, so that some are free for others even while it holds on to its own. */
  atOncePerOwner: number;
  /** Fewer while others ask as well: what an owner has in progress is what they wait behind. */
  besideOthers?: { atOncePerOwner: number; recent: RecentOwners };
  waitingMax: number;
  waitingPerOwnerMax: number;
  waitMs: number;
  /** The reason with which callers without a place are refused. */
  reason: UnavailableReason;
}

/**
 * Gives a place back. With `restMs` it is free for others at once, and for its own owner after this time: an owner that wastes it
 * comes again less often.
 */
export type Leave = (restMs?: number) => void;

/** Refused at once: too many wait already. */
export class QueueFull extends Error {}

export class WaitedTooLong extends Error {}

interface Owner {
  /** Places that it holds or rests from. */
  active: number;
  /** Each takes the place that has become free. One that gave up is removed at once, so that the queue stays short. */
  waiting: Set<() => void>;
}

/**
 * Shares a limited number of places between owners. They take turns: an owner with much to do delays another by one of its
 * turns, not by all of them, and its queue ends before it takes the room of others.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #owners = new Map<string, Owner>();
  /** Owners that wait and may have another place, in the order of their turns. */
  readonly #turns = new Map<string, Owner>();
  #active = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  get figures(): { active: number; waiting: number } {
    return { active: this.#active, waiting: this.#waiting };
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(owner);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves with the function that gives the place back, or is refused as unavailable. */
  async acquire(name: string): Promise<Leave> {
    const free = this.tryAcquire(name);
    if (free) return free;
    const owner = this.#ownerOf(name);
    if (this.#waiting >= this.#limits.waitingMax || owner.waiting.size >= this.#limits.waitingPerOwnerMax) {
      this.#forgetIdle(name, owner);
      throw this.#refusal(new QueueFull('too much is waiting'));
    }
    await this.#wait(name, owner);
    return this.#releaseOf(name, owner);
  }

  /** A place that is free at once, or null. */
  tryAcquire(name: string): Leave | null {
    this.#limits.besideOthers?.recent.note(name);
    // A newcomer does not overtake those who wait for a place that it could have, too.
    if (this.#active >= this.#limits.atOnce || this.#turns.size > 0) return null;
    if ((this.#owners.get(name)?.active ?? 0) >= this.#placesOf(name)) return null;
    const owner = this.#ownerOf(name);
    this.#enter(owner);
    return this.#releaseOf(name, owner);
  }

  #placesOf(name: string): number {
    const { atOncePerOwner, besideOthers } = this.#limits;
    if (!besideOthers?.recent.isBesideOthers(name)) return atOncePerOwner;
    return Math.min(atOncePerOwner, besideOthers.atOncePerOwner);
  }

  #refusal(cause: Error): Unavailable {
    return new Unavailable(this.#limits.reason, cause);
  }

  #ownerOf(name: string): Owner {
    const owner = this.#owners.get(name) ?? { active: 0, waiting: new Set() };
    this.#owners.set(name, owner);
    return owner;
  }

  #releaseOf(name: string, owner: Owner): Leave {
    let isReleased = false;
    return (restMs = 0) => {
      if (isReleased) return;
      isReleased = true;
      this.#active--;
      if (restMs === 0) return this.#mayReturn(name, owner);
      setTimeout(() => this.#mayReturn(name, owner), restMs).unref();
      this.#admit();
    };
  }

  #enter(owner: Owner): void {
    owner.active++;
    this.#active++;
  }

  #wait(name: string, owner: Owner): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#stopWaiting(owner, go);
        this.#forgetIdle(name, owner);
        reject(this.#refusal(new WaitedTooLong('no place became free in time')));
      }, this.#limits.waitMs);
      late.unref();
      const go = () => {
        clearTimeout(late);
        this.#stopWaiting(owner, go);
        this.#enter(owner);
        resolve();
      };
      owner.waiting.add(go);
      this.#waiting++;
      this.#giveTurn(name, owner);
    });
  }

  #stopWaiting(owner: Owner, go: () => void): void {
    owner.waiting.delete(go);
    this.#waiting--;
  }

  #mayReturn(name: string, owner: Owner): void {
    owner.active--;
    this.#giveTurn(name, owner);
    this.#forgetIdle(name, owner);
    this.#admit();
  }

  #giveTurn(name: string, owner: Owner): void {
    if (owner.waiting.size > 0 && owner.active < this.#placesOf(name) && !this.#turns.has(name))
      this.#turns.set(name, owner);
  }

  #admit(): void {
    while (this.#active < this.#limits.atOnce) {
      const [first] = this.#turns;
      if (!first) return;
      const [name, owner] = first;
      this.#turns.delete(name);
      const [go] = owner.waiting;
      go?.();
      this.#giveTurn(name, owner);
    }
  }

  #forgetIdle(name: string, owner: Owner): void {
    if (owner.active === 0 && owner.waiting.size === 0) {
      this.#owners.delete(name);
      this.#turns.delete(name);
    }
  }
}
