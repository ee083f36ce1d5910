/** Notifications expected on each day, said once more and differently from the service: one object at a time, in memory. */

const DAY_MS = 86_400_000;
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

export const later = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export interface Notified {
  what: string;
  day: string;
  detail: string;
}

export class CertificateModel {
  readonly id: string;
  validTo: string;
  current = true;
  /** Thresholds done with, by date of expiry. */
  readonly #done = new Map<string, Set<number>>();

  constructor(id: string, validTo: string) {
    this.id = id;
    this.validTo = validTo;
  }

  #doneWith(validTo: string): Set<number> {
    const known = this.#done.get(validTo) ?? new Set();
    this.#done.set(validTo, known);
    return known;
  }

  /** The date is corrected: what was said and still holds is not said again. */
  correct(validTo: string, today: string): void {
    const before = this.#doneWith(this.validTo);
    const after = this.#doneWith(validTo);
    for (const threshold of before) if (daysBetween(today, validTo) <= threshold) after.add(threshold);
    this.validTo = validTo;
  }

  look(today: string, since: string): Notified[] {
    if (!this.current || this.validTo < since) return [];
    const left = daysBetween(today, this.validTo);
    const reached = [30, 15, 7].filter((threshold) => left <= threshold);
    const nearest = Math.min(...reached);
    const done = this.#doneWith(this.validTo);
    if (reached.length === 0 || done.has(nearest)) return [];
    const missed = reached.filter((threshold) => threshold !== nearest && !done.has(threshold));
    for (const threshold of reached) done.add(threshold);
    return [
      { what: this.id, day: today, detail: `${this.validTo} ${nearest} missed ${missed} left ${left}` },
    ];
  }
}

export class ProductModel {
  readonly code: string;
  readonly #safetyStock: number;
  #nearDays: number;
  readonly #batches: {
    batchNo: string;
    expiry: string;
    quantity: number;
    inside: boolean;
    entered: Set<string>;
  }[] = [];
  readonly #lowNotifiedOn = new Set<string>();

  constructor(code: string, safetyStock: number, nearDays: number) {
    this.code = code;
    this.#safetyStock = safetyStock;
    this.#nearDays = nearDays;
  }

  add(batchNo: string, expiry: string, quantity: number): void {
    this.#batches.push({ batchNo, expiry, quantity, inside: false, entered: new Set() });
  }

  /** Returns whether anything changed by it. */
  change(nearDays: number, today: string): boolean {
    if (nearDays === this.#nearDays) return false;
    this.#nearDays = nearDays;
    for (const batch of this.#batches)
      if (batch.inside && daysBetween(today, batch.expiry) > nearDays) batch.inside = false;
    return true;
  }

  lookAtExpiry(today: string, since: string): Notified[] {
    return this.#batches
      .filter(
        (batch) =>
          batch.expiry >= since &&
          daysBetween(today, batch.expiry) <= this.#nearDays &&
          !batch.inside &&
          !batch.entered.has(today),
      )
      .map((batch) => {
        batch.inside = true;
        batch.entered.add(today);
        const left = daysBetween(today, batch.expiry);
        return {
          what: `${this.code}/${batch.batchNo}`,
          day: today,
          detail: `${batch.quantity} left ${left}`,
        };
      });
  }

  lookAtStock(today: string, since: string): Notified[] {
    const fell = this.#batches.some((batch) => batch.expiry >= since && batch.expiry < today);
    const available = this.#batches
      .filter((batch) => batch.expiry >= today)
      .reduce((sum, batch) => sum + batch.quantity, 0);
    if (!fell || available >= this.#safetyStock || this.#lowNotifiedOn.has(today)) return [];
    this.#lowNotifiedOn.add(today);
    return [{ what: this.code, day: today, detail: `${available} of ${this.#safetyStock}` }];
  }
}

/** One organization: when its daily run was last, and the notifications it should have had. */
export class OrganizationModel {
  readonly certificates: CertificateModel[] = [];
  readonly products: ProductModel[] = [];
  readonly notified: { certificates: Notified[]; batches: Notified[]; products: Notified[] } = {
    certificates: [],
    batches: [],
    products: [],
  };
  #lastRun: string | null = null;

  run(today: string): void {
    const since = this.#lastRun !== null && this.#lastRun < today ? this.#lastRun : today;
    for (const certificate of this.certificates)
      this.notified.certificates.push(...certificate.look(today, since));
    for (const product of this.products) {
      this.notified.batches.push(...product.lookAtExpiry(today, since));
      this.notified.products.push(...product.lookAtStock(today, since));
    }
    this.#lastRun = today;
  }

  /** A change is judged at once. One that has expired before is not about to. */
  changed(today: string, what: { certificate?: CertificateModel; product?: ProductModel }): void {
    if (what.certificate) this.notified.certificates.push(...what.certificate.look(today, today));
    if (what.product) this.notified.batches.push(...what.product.lookAtExpiry(today, today));
  }
}
