/** Stock of one batch in one warehouse that can be reserved. */
export interface FreeBatch {
  productCode: string;
  warehouse: string;
  batchNo: string;
  expiryDate: string | null;
  free: number;
}

/** The quantity a line of an order still needs. */
export interface LineDemand {
  lineNo: number;
  productCode: string;
  quantity: number;
  /** If set, only this batch is acceptable. */
  batchNo: string | null;
  /** If set, the batch must be usable at least through this day. */
  usableThrough: string | null;
}

export interface Demand {
  orderId: string;
  warehouse: string;
  lines: readonly LineDemand[];
}

export interface Allocation {
  orderId: string;
  lineNo: number;
  productCode: string;
  warehouse: string;
  batchNo: string;
  quantity: number;
  /** When the stock was first reserved. Omitted: now. */
  reservedAt?: Date | undefined;
}

interface Shortfall {
  lineNo: number;
  productCode: string;
  missing: number;
}

/** The outcome for one demand: everything allocated, or nothing and the quantities that are missing. */
export interface Reserved {
  allocations: (Allocation & Pick<FreeBatch, 'expiryDate'>)[];
  short: Shortfall[];
}

/** The stock that one line of an order could be given now. */
export interface LinePreview {
  line: LineDemand;
  /** The total that can be reserved in suitable batches, after the lines before it. */
  available: number;
  missing: number;
  allocations: Reserved['allocations'];
}

const LAST = '9999-99-99';

/** Earliest expiry first, without expiry last; then by batch number. */
function earliestExpiryFirst(a: FreeBatch, b: FreeBatch): number {
  const x = a.expiryDate ?? LAST;
  const y = b.expiryDate ?? LAST;
  if (x !== y) return x < y ? -1 : 1;
  return a.batchNo < b.batchNo ? -1 : 1;
}

/**
 * Allocates free stock to demands one after the other, each in full or not at all. The free quantities shrink as demands are
 * met.
 */
export class FreeStock {
  readonly #batches = new Map<string, FreeBatch[]>();

  constructor(batches: readonly FreeBatch[]) {
    for (const batch of [...batches].sort(earliestExpiryFirst)) {
      const key = `${batch.productCode}\n${batch.warehouse}`;
      const known = this.#batches.get(key);
      if (known) known.push({ ...batch });
      else this.#batches.set(key, [{ ...batch }]);
    }
  }

  allocate(demand: Demand): Reserved {
    const { taken, allocations, short } = this.#take(demand);
    if (short.length === 0) return { allocations, short };
    // The demand is refused, so the next one in the same transaction may use its stock.
    for (const { batch, quantity } of taken) batch.free += quantity;
    return { allocations: [], short };
  }

  /** The stock that each line would be given, even if it is not enough. */
  preview(demand: Demand): LinePreview[] {
    return demand.lines.map((line) => {
      const available = this.#suitable(demand.warehouse, line).reduce((sum, batch) => sum + batch.free, 0);
      const { allocations, short } = this.#take({ ...demand, lines: [line] });
      return { line, available, missing: short[0]?.missing ?? 0, allocations };
    });
  }

  #suitable(warehouse: string, line: LineDemand): FreeBatch[] {
    return (this.#batches.get(`${line.productCode}\n${warehouse}`) ?? []).filter((batch) =>
      suits(batch, line),
    );
  }

  #take(demand: Demand) {
    const taken: { batch: FreeBatch; quantity: number }[] = [];
    const allocations: Reserved['allocations'] = [];
    const short: Shortfall[] = [];
    for (const line of demand.lines) {
      let missing = line.quantity;
      for (const batch of this.#suitable(demand.warehouse, line)) {
        if (missing === 0) break;
        if (batch.free === 0) continue;
        const quantity = Math.min(missing, batch.free);
        batch.free -= quantity;
        missing -= quantity;
        taken.push({ batch, quantity });
        const { productCode, warehouse, batchNo, expiryDate } = batch;
        allocations.push({
          orderId: demand.orderId,
          lineNo: line.lineNo,
          productCode,
          warehouse,
          batchNo,
          expiryDate,
          quantity,
        });
      }
      if (missing > 0) short.push({ lineNo: line.lineNo, productCode: line.productCode, missing });
    }
    return { taken, allocations, short };
  }
}

/** Whether a batch meets the requirements of a line. */
export function suits(
  batch: Pick<FreeBatch, 'batchNo' | 'expiryDate'>,
  line: Pick<LineDemand, 'batchNo' | 'usableThrough'>,
): boolean {
  if (line.batchNo !== null && line.batchNo !== batch.batchNo) return false;
  return line.usableThrough === null || batch.expiryDate === null || batch.expiryDate >= line.usableThrough;
}
