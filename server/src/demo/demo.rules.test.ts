import { isGtin } from '@lotward/udi';
import { describe, expect, it } from 'vitest';
import { coversProduct } from '../certificates/index.js';
import { addDays } from '../platform/calendar/index.js';
import { demoCertificates } from './certificates.rules.js';
import { demoPoints } from './environment.rules.js';
import { demoWords } from './language.rules.js';
import { plannedReceipts } from './orders.rules.js';
import { demoPartners, FEATURED_PRODUCT, WAREHOUSES, ZONES } from './partners.rules.js';
import { ADMINISTRATOR, STAFF } from './people.rules.js';
import { demoProducts } from './products.rules.js';
import { DECISIONS, FOUND_LATER, REJECTED } from './quality.rules.js';
import { openingHolds, openingStock } from './stock.rules.js';

const TODAY = '2026-11-15';

describe('demo data', () => {
  const products = demoProducts(demoWords('en'));
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
    const licences = demoCertificates(products, TODAY, demoWords('en')).filter(
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

  it('has registrations with one number, one issuer and one validity for all their sizes, and no two with the same number', () => {
    const registrations = new Map(products.map(({ registration }) => [registration.serial, registration]));
    for (const words of [demoWords('en'), demoWords('zh')]) {
      const goods = demoProducts(words);
      expect(new Set(goods.map(({ put }) => put.input.registrationNo)).size).toBe(registrations.size);
      const certificates = demoCertificates(goods, TODAY, words).filter(
        ({ subjectType }) => subjectType === 'product',
      );
      const facts = certificates.map(({ certificateNo, issuer, validFrom, validTo }) =>
        JSON.stringify([certificateNo, issuer, validFrom, validTo]),
      );
      expect(new Set(facts).size).toBe(new Set(certificates.map((each) => each.certificateNo)).size);
      const soon = certificates.filter(({ validTo }) => (validTo ?? '') < addDays(TODAY, 30));
      expect(new Set(soon.map(({ certificateNo }) => certificateNo)).size).toBe(3);
      for (const today of [TODAY, '2027-03-01', '2028-02-29', '2031-08-10'])
        for (const { subjectType, validFrom, validTo } of demoCertificates(goods, today, words))
          if (subjectType === 'product')
            expect([(validFrom ?? today) < addDays(today, -200), (validTo ?? '') > today]).toEqual([
              true,
              true,
            ]);
    }
    const names = (serial: number) =>
      products.filter(({ registration }) => registration.serial === serial).map(({ family }) => family.name);
    for (const serial of registrations.keys()) expect(new Set(names(serial)).size).toBe(1);
  });

  it('is the same every time, and names the same batches on any day', () => {
    expect(demoProducts(demoWords('en'))).toEqual(products);
    const batches = (today: string) =>
      products.flatMap((p) => openingStock(p, today)).map((s) => [s.batchNo, s.warehouse, s.quantityDelta]);
    expect(batches('2027-03-01')).toEqual(batches(TODAY));
  });
});

describe('the Chinese demo', () => {
  const [english, chinese] = [demoWords('en'), demoWords('zh')];
  const products = demoProducts(chinese);

  it('has the same goods as the English one under other names', () => {
    const data = (of: typeof english) =>
      demoProducts(of).map(({ put: { productCode, input } }) => [
        ...[productCode, input.model, input.riskClass, input.tracking, input.safetyStock, input.supplierCode],
      ]);
    expect(data(chinese)).toEqual(data(english));
    const stock = (of: typeof english) => demoProducts(of).flatMap((each) => openingStock(each, TODAY));
    expect(stock(chinese)).toEqual(stock(english));
    expect(new Set(products.map(({ put }) => put.input.productName)).size).toBe(products.length);
  });

  it('has no English left in any of its texts', () => {
    const holds = products.flatMap((product) => openingHolds(product, TODAY));
    const texts = [
      ...products.flatMap(({ put: { input } }) => [
        ...[input.productName, input.manufacturer, input.category, input.unit],
      ]),
      ...demoPartners(chinese.say).flatMap(({ name, contact }) => [name, contact?.address]),
      ...[...WAREHOUSES, ...ZONES].map(({ name }) => chinese.say(name)),
      ...demoPoints().map(({ put }) => chinese.say(put.name)),
      ...[ADMINISTRATOR, ...STAFF.map(({ name }) => name)].map(chinese.say),
      ...demoCertificates(products, TODAY, chinese).flatMap(({ type, issuer, scope }) => [
        type,
        issuer,
        scope,
      ]),
      ...[...holds, ...Object.values(REJECTED), ...FOUND_LATER, ...DECISIONS].map(({ reason }) =>
        chinese.say(reason),
      ),
      ...products.flatMap((product) => openingStock(product, TODAY)).map(({ reason }) => chinese.say(reason)),
    ];
    // Names of models, sizes and substances are Latin in the trade, too; a word of four small letters is none.
    const isEnglish = (text: string) => /[a-z]{4}/.test(text) || !/\p{Script=Han}/u.test(text);
    expect([...new Set(texts)].filter((text) => text && isEnglish(text))).toEqual([]);
  });

  it('has numbers as Chinese authorities give them', () => {
    for (const { put, family } of products) {
      const { registrationNo } = put.input;
      if (family.riskClass === 'I') expect(registrationNo).toMatch(/^沪浦械备20\d{6}$/);
      else if (family.riskClass === 'II')
        expect(registrationNo).toMatch(/^沪械注准20\d{2}2(?:0[1-9]|1\d|2[0-2]|40)\d{4}$/);
      else expect(registrationNo).toMatch(/^国械注准20\d{2}3(?:0[1-9]|1\d|2[0-2]|40)\d{4}$/);
    }
    for (const certificate of demoCertificates(products, TODAY, chinese)) {
      const { subjectType, certificateNo, validFrom = '' } = certificate;
      if (subjectType === 'supplier')
        expect(certificateNo).toMatch(
          new RegExp(`^[\\p{Script=Han}]{2}药监械经营许${validFrom?.slice(0, 4)}\\d{4}号$`, 'u'),
        );
      if (subjectType === 'customer') expect(certificateNo).toMatch(/^\d{17}A\d{4}$/);
    }
    expect(ZONES.map(({ name }) => chinese.say(name))).toContain('常温库 15～25 °C');
  });

  it('has licences that cover what their suppliers deliver', () => {
    const licences = demoCertificates(products, TODAY, chinese).filter(({ coverage }) => coverage);
    expect(licences).toHaveLength(3);
    for (const { subjectCode, coverage = null } of licences)
      for (const { put, family } of products.filter((each) => each.put.input.supplierCode === subjectCode))
        expect(
          coversProduct(coverage, {
            productCode: put.productCode,
            riskClass: put.input.riskClass ?? null,
            category: put.input.category ?? null,
            sterile: family.sterile,
            implantable: family.implantable,
            temperatureMax: put.input.storage?.temperatureMax ?? null,
          }),
        ).toBe(true);
  });
});
