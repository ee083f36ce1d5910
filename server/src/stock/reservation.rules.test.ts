import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Demand, type FreeBatch, FreeStock } from './reservation.rules.js';

const batch = (batchNo: string, free: number, more: Partial<FreeBatch> = {}): FreeBatch => ({
  productCode: 'P',
  warehouse: 'WH',
  batchNo,
  expiryDate: null,
  free,
  ...more,
});
const line = (lineNo: number, quantity: number, more: Partial<Demand['lines'][number]> = {}) => ({
  lineNo,
  productCode: 'P',
  quantity,
  batchNo: null,
  usableThrough: null,
  ...more,
});
const demand = (orderId: string, ...lines: Demand['lines']): Demand => ({ orderId, warehouse: 'WH', lines });
const allocated = (stock: FreeStock, wanted: Demand) =>
  stock.allocate(wanted).allocations.map(({ batchNo, quantity }) => [batchNo, quantity]);

describe('a preview', () => {
  it('shows what a line would get although it is not enough, and leaves the next line only the rest', () => {
    const stock = new FreeStock([batch('A', 2), batch('B', 1)]);
    const seen = stock.preview(demand('order', line(1, 5), line(2, 2)));
    expect(seen.map(({ available, missing }) => [available, missing])).toEqual([
      [3, 2],
      [0, 2],
    ]);
    expect(seen[0]?.allocations.map(({ batchNo, quantity }) => [batchNo, quantity])).toEqual([
      ['A', 2],
      ['B', 1],
    ]);
    expect(seen[1]?.allocations).toEqual([]);
  });
});

describe('an order that cannot be met', () => {
  it('leaves all it took to the next order of the same transaction', () => {
    const stock = new FreeStock([batch('A', 5), batch('Q', 1, { productCode: 'Q' })]);
    const refused = stock.allocate(demand('first', line(1, 5), line(2, 2, { productCode: 'Q' })));
    expect(refused).toEqual({ allocations: [], short: [{ lineNo: 2, productCode: 'Q', missing: 1 }] });
    expect(allocated(stock, demand('second', line(1, 5)))).toEqual([['A', 5]]);
    expect(allocated(stock, demand('third', line(1, 1, { productCode: 'Q' })))).toEqual([['Q', 1]]);
  });

  it('gives back over several batches, and names every line that is short', () => {
    const stock = new FreeStock([batch('A', 2), batch('B', 2)]);
    const { short } = stock.allocate(demand('first', line(1, 3), line(2, 3)));
    expect(short).toEqual([{ lineNo: 2, productCode: 'P', missing: 2 }]);
    expect(allocated(stock, demand('second', line(1, 4)))).toEqual([
      ['A', 2],
      ['B', 2],
    ]);
  });

  it('changes nothing for the other orders, in any sequence of orders', () => {
    const quantity = fc.integer({ min: 1, max: 9 });
    const products = fc.constantFrom('P', 'Q');
    const free = fc.array(fc.tuple(products, quantity), { minLength: 2, maxLength: 6 });
    const orders = fc.array(fc.array(fc.tuple(products, quantity), { minLength: 1, maxLength: 3 }), {
      minLength: 2,
      maxLength: 8,
    });
    fc.assert(
      fc.property(free, orders, (stocked, lists) => {
        const allocate = (wanted: readonly Demand[]) => {
          const stock = new FreeStock(
            stocked.map(([productCode, each], i) => batch(`B${i}`, each, { productCode })),
          );
          return wanted.map((each) => stock.allocate(each));
        };
        const wanted = lists.map((lines, o) =>
          demand(`O${o}`, ...lines.map(([productCode, each], i) => line(i + 1, each, { productCode }))),
        );
        const outcomes = allocate(wanted);
        const isMet = (_: unknown, i: number) => outcomes[i]?.short.length === 0;
        expect(allocate(wanted.filter(isMet))).toEqual(outcomes.filter(isMet));
      }),
    );
  });
});

describe('stock is allocated', () => {
  it('by earliest expiry, without expiry last, then by batch number', () => {
    const stock = new FreeStock([
      batch('N', 1),
      batch('C', 1, { expiryDate: '2027-01-02' }),
      batch('B', 1, { expiryDate: '2027-01-01' }),
      batch('A', 1, { expiryDate: '2027-01-01' }),
    ]);
    expect(allocated(stock, demand('O', line(1, 4))).map(([batchNo]) => batchNo)).toEqual([
      'A',
      'B',
      'C',
      'N',
    ]);
  });

  it('only from batches usable through the requested day, that day included', () => {
    const stock = () =>
      new FreeStock([
        batch('A', 1, { expiryDate: '2027-01-01' }),
        batch('B', 1, { expiryDate: '2027-01-02' }),
      ]);
    const through = (usableThrough: string) => allocated(stock(), demand('O', line(1, 1, { usableThrough })));
    expect(through('2027-01-01')).toEqual([['A', 1]]);
    expect(through('2027-01-02')).toEqual([['B', 1]]);
    expect(through('2027-01-03')).toEqual([]);
  });

  it('only from the requested batch, product and warehouse', () => {
    const stock = new FreeStock([
      batch('A', 1),
      batch('B', 1),
      batch('C', 9, { warehouse: 'OTHER' }),
      batch('D', 9, { productCode: 'Q' }),
    ]);
    expect(allocated(stock, demand('O', line(1, 1, { batchNo: 'B' })))).toEqual([['B', 1]]);
    expect(stock.allocate(demand('O', line(1, 2))).short).toEqual([
      { lineNo: 1, productCode: 'P', missing: 1 },
    ]);
  });
});
