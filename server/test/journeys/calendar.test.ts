import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putPartners, putProducts } from '../../src/catalogue/index.js';
import { createCertificate } from '../../src/certificates/create-certificate.js';
import { renewCertificate } from '../../src/certificates/renew-certificate.js';
import { replaceCertificate } from '../../src/certificates/replace-certificate.js';
import { type Database, type Tx, transact } from '../../src/platform/database/index.js';
import { systemPrincipal } from '../../src/platform/principal.js';
import { adjustStock } from '../../src/stock/index.js';
import { performDueDailyRuns } from '../../src/watch/index.js';
import { newOrganization, openTestDatabase, sized, type TestDatabase, testClock } from '../harness/index.js';
import { CertificateModel, later, type Notified, OrganizationModel, ProductModel } from './calendar-model.js';
import { Chance } from './chance.js';

/** Two years with a 29 February in them; usually the weeks around it, with New York's change to summer time. */
const FROM = sized(Date.parse('2028-02-16T00:00:00Z'), Date.parse('2027-03-01T00:00:00Z'));
const DAYS = sized(30, 731);
const ZONES = ['UTC', 'Asia/Shanghai', 'America/New_York', 'Pacific/Apia'];
/** Hours of the day in UTC at which a day begins in one of the zones, in winter or in summer. */
const TURNS = [0, 4, 5, 10, 11, 16];
/** With every turn so many chances of something happening. */
const CHANCES = 400;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Place {
  orgId: string;
  timeZone: string;
  model: OrganizationModel;
}

let db: TestDatabase;
let workers: Database[];
const clock = testClock(new Date(FROM).toISOString());
const places: Place[] = [];
const chance = new Chance(sized(20_280_227, 20_280_229));
const counts = { runs: 0, outages: 0, renewals: 0, corrections: 0, ranges: 0 };

/** Another way to the day than the service takes. */
const dayThere = (timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(clock.now());

const at = <T>({ orgId, timeZone }: Place, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(db.database, systemPrincipal(orgId, 'test@test.example', { timeZone, sandbox: null }), work);

function pick<T>(items: readonly T[]): T {
  const item = chance.of(items);
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}

let serial = 0;
async function addCertificate(place: Place, today: string, daysLeft: number): Promise<void> {
  const validTo = later(today, daysLeft);
  const made = await at(place, (tx) =>
    createCertificate(tx, {
      certificateNo: `C-${++serial}`,
      type: 'registration',
      subjectType: 'supplier',
      subjectCode: 'SUP',
      issuer: 'authority',
      validFrom: '2020-01-01',
      validTo,
    }),
  );
  const certificate = new CertificateModel(made.certificateId, validTo);
  place.model.certificates.push(certificate);
  place.model.changed(today, { certificate });
}

async function correctCertificate(place: Place, today: string): Promise<void> {
  const certificate = pick(place.model.certificates.filter((each) => each.current));
  const validTo = later(today, chance.below(60));
  await at(place, (tx) =>
    replaceCertificate(tx, certificate.id, {
      certificateNo: `N-${certificate.id}`,
      issuer: 'authority',
      validFrom: '2020-01-01',
      validTo,
    }),
  );
  certificate.correct(validTo, today);
  place.model.changed(today, { certificate });
  counts.corrections++;
}

async function renew(place: Place, today: string): Promise<void> {
  const old = pick(place.model.certificates.filter((each) => each.current));
  const validTo = later(today, 5 + chance.below(400));
  const renewed = await at(place, (tx) => renewCertificate(tx, old.id, { validFrom: today, validTo }));
  old.current = false;
  const certificate = new CertificateModel(renewed.certificateId, validTo);
  place.model.certificates.push(certificate);
  place.model.changed(today, { certificate });
  counts.renewals++;
}

const putProduct = (place: Place, code: string, nearExpiryDays: number) =>
  at(place, (tx) =>
    putProducts(tx, [
      { productCode: code, input: { productName: code, tracking: 'batch', safetyStock: 20, nearExpiryDays } },
    ]),
  );

async function changeRange(place: Place, today: string): Promise<void> {
  const product = pick(place.model.products);
  const nearDays = pick([5, 10, 20, 40, 90]);
  await putProduct(place, product.code, nearDays);
  if (product.change(nearDays, today)) place.model.changed(today, { product });
  counts.ranges++;
}

async function addBatch(place: Place, product: ProductModel, today: string, daysLeft: number): Promise<void> {
  const batchNo = `B-${++serial}`;
  const expiryDate = later(today, daysLeft);
  await at(place, (tx) =>
    adjustStock(tx, {
      productCode: product.code,
      warehouse: 'WH',
      batchNo,
      expiryDate,
      quantityDelta: 8,
      reason: 'count',
    }),
  );
  product.add(batchNo, expiryDate, 8);
  place.model.changed(today, { product });
}

async function furnish(timeZone: string): Promise<Place> {
  const { organization } = await newOrganization(db, { timeZone });
  const place = { orgId: organization.orgId, timeZone, model: new OrganizationModel() };
  const today = dayThere(timeZone);
  await at(place, (tx) => putPartners(tx, [{ code: 'SUP', name: 'Supplier', roles: ['supplier'] }]));
  await db.sql(
    `insert into warehouses (org_id, code, name, created_at, updated_at) values ($1, 'WH', 'Main', now(), now())`,
    [place.orgId],
  );
  for (let n = 0; n < 4; n++) {
    const product = new ProductModel(`P-${n}`, 20, 30);
    await putProduct(place, product.code, 30);
    place.model.products.push(product);
    for (let b = 0; b < 5; b++)
      await addBatch(place, product, today, 1 + chance.below(sized(DAYS, DAYS + 20)));
  }
  for (let n = 0; n < sized(25, 120); n++) await addCertificate(place, today, chance.below(DAYS + 40));
  return place;
}

/** One worker before midnight, when at most the rest of an outage is due; three at once after every midnight. */
async function runEverywhere(workersMax: number): Promise<void> {
  const failures: unknown[] = [];
  await Promise.all(
    workers.slice(0, workersMax).map((database) =>
      performDueDailyRuns(database, {
        consoleUrl: 'http://test',
        onError: (error) => failures.push(error),
      }),
    ),
  );
  expect(failures).toEqual([]);
  for (const { timeZone, model } of places) model.run(dayThere(timeZone));
  counts.runs++;
}

/** The end of the current outage, and whether the API is down as well as the workers. */
const outage = { until: 0, alsoApi: false };

async function live(instant: number, workersMax = 3): Promise<void> {
  clock.set(new Date(instant).toISOString());
  if (instant >= outage.until) await runEverywhere(workersMax);
  if (instant < outage.until && outage.alsoApi) return;
  for (const place of places) {
    const today = dayThere(place.timeZone);
    const dice = chance.below(CHANCES);
    if (dice < 24) await correctCertificate(place, today);
    else if (dice < 34) await renew(place, today);
    else if (dice < 50) await addCertificate(place, today, chance.below(50) - 5);
    else if (dice < 66) await changeRange(place, today);
    else if (dice < 76) await addBatch(place, pick(place.model.products), today, chance.below(60));
  }
  if (instant >= outage.until && chance.below(CHANCES) < 5) {
    // Most are short.
    outage.until = instant + (1 + chance.below(chance.oneIn(3) ? 40 : 4)) * DAY_MS;
    outage.alsoApi = chance.below(2) === 0;
    counts.outages++;
  }
}

interface Emitted {
  orgId: string;
  type: string;
  body: { timestamp: string; data: Record<string, unknown> };
}

beforeAll(
  async () => {
    db = await openTestDatabase(clock);
    workers = [db.database, await db.another(), await db.another()];
    for (const zone of ZONES) places.push(await furnish(zone));
    for (let day = 0; day < DAYS; day++) {
      for (const hour of TURNS) {
        // The last second of one day somewhere, and the first of the next.
        await live(FROM + day * DAY_MS + hour * HOUR_MS - 1_000, sized(1, 3));
        await live(FROM + day * DAY_MS + hour * HOUR_MS + 1_000);
      }
    }
    outage.until = 0;
    await live(FROM + DAYS * DAY_MS);
    process.stdout.write(`calendar: ${DAYS} days, ${JSON.stringify(counts)}\n`);
  },
  sized(180_000, 3_600_000),
);
afterAll(() => db.close());

describe.each(ZONES)(
  'over the days in %s, with outages, renewals, corrected dates and three workers',
  (zone) => {
    let notified: Record<string, Notified[]>;
    let place: Place;
    beforeAll(async () => {
      const found = places.find(({ timeZone }) => timeZone === zone);
      if (!found) throw new Error(`no organization in ${zone}`);
      place = found;
      const rows = await db.sql<Emitted>(
        `select org_id as "orgId", event_type as type, body::json as body from events where org_id = $1 order by at, event_id`,
        [place.orgId],
      );
      const day = (timestamp: string) =>
        new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(
          Date.parse(timestamp),
        );
      notified = { 'certificate.expiring': [], 'expiry.warning': [], 'inventory.low_stock': [] };
      for (const { type, body } of rows) {
        const { data } = body;
        const [what, detail] =
          type === 'certificate.expiring'
            ? [
                data.certificateId,
                `${data.validTo} ${data.threshold} missed ${data.missedThresholds} left ${data.daysRemaining}`,
              ]
            : type === 'expiry.warning'
              ? [`${data.productCode}/${data.batchNo}`, `${data.quantity} left ${data.daysRemaining}`]
              : [data.productCode, `${data.availableQuantity} of ${data.safetyStock}`];
        notified[type]?.push({ what: String(what), day: day(body.timestamp), detail: String(detail) });
      }
    });

    const inOrder = (all: readonly Notified[] | undefined) =>
      [...(all ?? [])].map((each) => `${each.day} ${each.what} ${each.detail}`).sort();

    it('every certificate is notified at each threshold once, on its day or the first after an outage', () => {
      expect(inOrder(notified['certificate.expiring'])).toEqual(inOrder(place.model.notified.certificates));
      expect(place.model.notified.certificates.length).toBeGreaterThan(30);
      const keys = notified['certificate.expiring']?.map(
        ({ what, detail }) => `${what} ${detail.split(' missed')[0]}`,
      );
      expect(new Set(keys).size).toBe(keys?.length);
    });

    it('every batch is notified once when it comes near expiry, and again only after it had left the range', () => {
      expect(inOrder(notified['expiry.warning'])).toEqual(inOrder(place.model.notified.batches));
      expect(place.model.notified.batches.length).toBeGreaterThan(15);
      const keys = notified['expiry.warning']?.map(({ what, day }) => `${what} ${day}`);
      expect(new Set(keys).size).toBe(keys?.length);
    });

    it('every product that fell below its line when a batch expired is notified, once a day at most', () => {
      expect(inOrder(notified['inventory.low_stock'])).toEqual(inOrder(place.model.notified.products));
      expect(place.model.notified.products.length).toBeGreaterThan(3);
    });
  },
);

it('saw every kind of trouble', () => {
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});
