import { Unavailable, type UnavailableReason } from '../errors/index.js';
import type { RecentOwners } from './recent-owners.js';

export interface FairQueueLimits {
  /** Slots in total. */
  atOnce: number;
  /** Slots that one owner may hold: fewer than all, so that some stay free for others however long it holds its own. */
  atOncePerOwner: number;
  /** Fewer while other owners are active, because they wait behind what an owner has in progress. */
  besideOthers?: { atOncePerOwner: number; recent: RecentOwners };
  waitingMax: number;
  waitingPerOwnerMax: number;
  waitMs: number;
  /** The reason for refusing callers without a slot. */
  reason: UnavailableReason;
}

/**
 * Gives a slot back. With `restMs`, others can have it immediately, but the same owner only after this time: an owner that
 * wastes slots comes back less often.
 */
export type Leave = (restMs?: number) => void;

/** Refused immediately: too many callers wait already. */
export class QueueFull extends Error {}

export class WaitedTooLong extends Error {}

interface Owner {
  /** Slots that it holds or that are resting. */
  active: number;
  /** Each takes a slot as it becomes free. A caller that gives up is removed immediately, so that the queue stays short. */
  waiting: Set<() => void>;
}

/**
 * Shares a limited number of slots between owners. They take turns: an owner with much work delays another by one turn, not
 * by all of its work, and its queue is bounded before it crowds out others.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #owners = new Map<string, Owner>();
  /** Waiting owners that may have another slot, in the order of their turns. */
  readonly #turns = new Map<string, Owner>();
  #active = 0;
  #waiting = 0;
  #willAdmit = false;

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

  /** Resolves with the function that gives the slot back, or is refused as unavailable. */
  async acquire(name: string): Promise<Leave> {
    // Nobody is refused while slots are free that only have not been given on yet.
    if (this.#willAdmit && this.#waiting >= this.#limits.waitingMax) this.#admit();
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

  /** A slot that is free now, or null. */
  tryAcquire(name: string): Leave | null {
    this.#limits.besideOthers?.recent.note(name);
    // A newcomer does not overtake waiting callers that could have the same slot.
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
    if (this.#limits.besideOthers?.recent.isBesideOthers(name)) this.#admitLater();
    else this.#admit();
  }

  /**
   * Many slots can become free at once. If their next callers started immediately, everything of others that has arrived
   * in the meantime would wait until all of them have begun. So the event loop reads that first.
   */
  #admitLater(): void {
    if (this.#willAdmit || this.#turns.size === 0) return;
    this.#willAdmit = true;
    setImmediate(() => {
      this.#willAdmit = false;
      this.#admit();
    });
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
