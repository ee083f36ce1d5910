import { isGtin } from '@lotward/udi';
import { describe, expect, it } from 'vitest';
import { coversProduct } from '../certificates/index.js';
import { addDays } from '../platform/calendar/index.js';
import { demoCertificates } from './certificates.rules.js';
import { plannedReceipts } from './orders.rules.js';
import { FEATURED_PRODUCT } from './partners.rules.js';
import { demoProducts } from './products.rules.js';
import { DECISIONS, FOUND_LATER, REJECTED } from './quality.rules.js';
import { openingHolds, openingStock } from './stock.rules.js';

const TODAY = '2026-11-15';

describe('demo data', () => {
  const products = demoProducts();
  const stock = products.flatMap((product) => openingStock(product, TODAY));

  it('gives every product and package a device identifier of its own with a right check digit', () => {
    const codes = products.flatMap(({ put }) => [
      put.productCode,
      ...(put.input.packaging ?? []).map((level) => level.udiDi),
    ]);
    expect(codes.filter((code) => !isGtin(code) || code.length !== 14)).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
    expect(products[0]?.put.productCode).toBe(FEATURED_PRODUCT);
    expect(products.length).toBeGreaterThan(300);
  });

  it('never has a batch made in the future, and has expired, near and distant ones', () => {
    expect(stock.filter(({ manufactureDate }) => (manufactureDate ?? '') > TODAY)).toEqual([]);
    const expiring = (from: string, to: string) =>
      stock.filter(({ expiryDate }) => expiryDate && expiryDate >= from && expiryDate < to).length;
    expect(expiring('2020-01-01', TODAY)).toBeGreaterThan(10);
    expect(expiring(TODAY, addDays(TODAY, 180))).toBeGreaterThan(30);
    expect(expiring(addDays(TODAY, 365), addDays(TODAY, 4 * 366))).toBeGreaterThan(stock.length / 2);
  });

  it('puts whole batches, some units and single devices on hold', () => {
    const holds = products.flatMap((product) => openingHolds(product, TODAY));
    expect(holds.filter((hold) => hold.serials?.length === 1).length).toBeGreaterThan(0);
    expect(holds.filter((hold) => hold.quantity !== undefined).length).toBeGreaterThan(0);
    expect(
      holds.filter((hold) => hold.quantity === undefined && hold.serials === undefined).length,
    ).toBeGreaterThan(0);
  });

  it('has licences that cover all their suppliers deliver, some of them nothing else', () => {
    const licences = demoCertificates(products, TODAY).filter(
      ({ subjectType }) => subjectType === 'supplier',
    );
    const traits = products.map(({ put: { productCode, input } }) => ({
      supplierCode: input.supplierCode,
      productCode,
      riskClass: input.riskClass ?? null,
      category: input.category ?? null,
      sterile: input.sterile ?? false,
      implantable: input.implantable ?? false,
      temperatureMax: input.storage?.temperatureMax ?? null,
    }));
    const restricted = licences.filter(({ coverage }) => coverage);
    expect(restricted).toHaveLength(3);
    for (const { subjectCode, coverage = null } of licences) {
      const own = traits.filter(({ supplierCode }) => supplierCode === subjectCode);
      expect(own.length).toBeGreaterThan(0);
      expect(own.filter((product) => !coversProduct(coverage, product))).toEqual([]);
    }
    for (const { coverage = null } of restricted)
      expect(traits.some((product) => !coversProduct(coverage, product))).toBe(true);
  });

  it('rejects part of some receipts, and decides about goods of receipts after they are known not to conform', () => {
    const receipts = new Map(plannedReceipts(products).map((receipt) => [receipt.receiptNo, receipt]));
    const known = new Map<string, number>();
    for (const [receiptNo, { quantity }] of Object.entries(REJECTED)) {
      const receipt = receipts.get(receiptNo);
      expect(receipt?.quantity).toBeGreaterThan(quantity);
      known.set(receiptNo, receipt?.daysAgo ?? 0);
    }
    for (const { receiptNo, daysAgo } of FOUND_LATER) {
      expect(receipts.get(receiptNo)?.daysAgo).toBeGreaterThan(daysAgo);
      expect(known.has(receiptNo)).toBe(false);
      known.set(receiptNo, daysAgo);
    }
    for (const { receiptNo, daysAgo, approved, rejected, executed } of DECISIONS) {
      const days = [known.get(receiptNo), daysAgo, (approved ?? rejected)?.daysAgo, executed?.daysAgo];
      const given = days.filter((day) => day !== undefined);
      expect([receiptNo, given]).toEqual([receiptNo, [...new Set(given)].sort((a, b) => b - a)]);
      known.set(receiptNo, given.at(-1) ?? 0);
    }
  });

  it('is the same every time, and names the same batches on any day', () => {
    expect(demoProducts()).toEqual(products);
    const batches = (today: string) =>
      products.flatMap((p) => openingStock(p, today)).map((s) => [s.batchNo, s.warehouse, s.quantityDelta]);
    expect(batches('2027-03-01')).toEqual(batches(TODAY));
  });
});
