/** Picks members in turn: organizations alternate, and so do the members of each. A member is queued at most once. */
export class RoundRobin<M extends { readonly orgId: string }> {
  readonly #queues = new Map<string, Set<M>>();

  add(member: M): void {
    const queue = this.#queues.get(member.orgId);
    if (queue) queue.add(member);
    else this.#queues.set(member.orgId, new Set([member]));
  }

  remove(member: M): void {
    const queue = this.#queues.get(member.orgId);
    if (queue?.delete(member) && queue.size === 0) this.#queues.delete(member.orgId);
  }

  /**
   * Removes and returns the next member of an organization for which `may` returns true; its organization moves to the end.
   */
  next(may: (orgId: string) => boolean = () => true): M | null {
    for (const [orgId, queue] of this.#queues) {
      if (!may(orgId)) continue;
      this.#queues.delete(orgId);
      for (const member of queue) {
        queue.delete(member);
        if (queue.size > 0) this.#queues.set(orgId, queue);
        return member;
      }
    }
    return null;
  }
}
