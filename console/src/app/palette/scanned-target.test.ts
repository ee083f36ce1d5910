import { describe, expect, it } from 'vitest';
import { scannedTarget } from './scanned-target.js';
import type { Found } from './targets.js';

const TODAY = '2026-11-15';
const found = (kind: Found['kind'], id: string, title = id, productCode: string | null = null): Found =>
  ({ kind, id, title, subtitle: title, status: null, productCode }) as Found;

describe('a scan opens', () => {
  it('the narrowest record of a device code', () => {
    const items = [found('batch', 'B1', 'B1', '06901234567892'), found('product', '06901234567892', 'Stent')];
    const target = scannedTarget('(01)06901234567892(10)B1', items, TODAY);
    expect(target?.href).toBe('/inventory/batch?productCode=06901234567892&batchNo=B1');
  });

  it('the record of which the code is the whole number, or the only one', () => {
    const orders = [found('order', 'ord_1', 'SO-17'), found('order', 'ord_2', 'SO-170')];
    expect(scannedTarget('so-17', orders, TODAY)?.href).toBe('/orders/ord_1');
    expect(scannedTarget('SO-1', orders.slice(1), TODAY)?.href).toBe('/orders/ord_2');
  });

  it('nothing by itself where several could be meant', () => {
    const orders = [found('order', 'ord_1', 'SO-17'), found('receipt', 'rcp_1', 'SO-17')];
    expect(scannedTarget('SO-17', orders, TODAY)).toBeNull();
    expect(scannedTarget('SO-', orders, TODAY)).toBeNull();
    expect(scannedTarget('SO-17', [], TODAY)).toBeNull();
  });
});
