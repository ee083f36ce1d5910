/** Whose turn it is: organizations take turns, and within each its members do. Nobody stands in line twice. */
export class Turns<M extends { readonly orgId: string }> {
  readonly #lines = new Map<string, Set<M>>();

  add(member: M): void {
    const line = this.#lines.get(member.orgId);
    if (line) line.add(member);
    else this.#lines.set(member.orgId, new Set([member]));
  }

  remove(member: M): void {
    const line = this.#lines.get(member.orgId);
    if (line?.delete(member) && line.size === 0) this.#lines.delete(member.orgId);
  }

  /** The next one, which leaves the line; its organization goes to the end. */
  next(): M | null {
    for (const [orgId, line] of this.#lines) {
      this.#lines.delete(orgId);
      for (const member of line) {
        line.delete(member);
        if (line.size > 0) this.#lines.set(orgId, line);
        return member;
      }
    }
    return null;
  }
}
