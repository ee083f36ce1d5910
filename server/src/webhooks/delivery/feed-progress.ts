/**
 * How far a webhook has come in the feed. Events are read in order and settle in any order: delivered, or stored as
 * retrying, failed or skipped. The watermark stops before the first event that has not settled.
 */
export class FeedProgress {
  #readTo: number;
  /** Positions read and not yet below the watermark, ascending. */
  #unsettled: number[] = [];
  /** Settled positions above the watermark. */
  readonly #settled = new Set<number>();
  #written: number;

  constructor(watermark: number) {
    this.#readTo = watermark;
    this.#written = watermark;
  }

  /** Every event up to this position was matched against the subscription. */
  get readTo(): number {
    return this.#readTo;
  }

  get watermark(): number {
    return Math.min(this.#readTo, (this.#unsettled[0] ?? Number.POSITIVE_INFINITY) - 1);
  }

  /** The highest watermark known to be in the database. */
  get writtenWatermark(): number {
    return this.#written;
  }

  /** Adds matching positions; everything up to `readTo` was looked at. */
  read(positions: readonly number[], readTo: number): void {
    let isDisordered = false;
    for (const position of positions) {
      if (position < (this.#unsettled.at(-1) ?? 0)) isDisordered = true;
      this.#unsettled.push(position);
    }
    if (isDisordered) this.#unsettled.sort((a, b) => a - b);
    this.#readTo = Math.max(this.#readTo, readTo);
  }

  rewindTo(position: number): void {
    this.#readTo = Math.min(this.#readTo, position);
  }

  settle(positions: readonly number[]): void {
    // Below the first unsettled one everything is settled already: stored, or skipped in the meantime.
    const first = this.#unsettled[0] ?? Number.POSITIVE_INFINITY;
    for (const position of positions) if (position >= first) this.#settled.add(position);
    let count = 0;
    for (const position of this.#unsettled) {
      if (!this.#settled.delete(position)) break;
      count++;
    }
    if (count > 0) this.#unsettled = this.#unsettled.slice(count);
  }

  noteWritten(watermark: number): void {
    this.#written = Math.max(this.#written, watermark);
  }

  /** Everything up to `position` is stored as skipped. */
  skipTo(position: number): void {
    this.#unsettled = [];
    this.#settled.clear();
    this.#readTo = Math.max(this.#readTo, position);
    this.noteWritten(position);
  }
}
