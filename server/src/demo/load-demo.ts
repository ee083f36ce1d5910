import { putPartners, putProducts, putWarehouse } from '../catalogue/index.js';
import { putCertificates } from '../certificates/index.js';
import { createOrganization, findOrganization, type Organization } from '../organizations/index.js';
import { choosePreferences, createUser } from '../people/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { Refusal } from '../platform/errors/index.js';
import { businessDay, systemPrincipal } from '../platform/principal.js';
import { StartRefused } from '../platform/start-refused.js';
import { adjustStock, holdStock } from '../stock/index.js';
import { demoCertificates } from './certificates.rules.js';
import { claimDemoStep, type DemoState, markDemoBegun, markDemoLoaded, readDemoState } from './demo.store.js';
import { demoKeys } from './demo-keys.js';
import { demoLogin } from './demo-login.js';
import type { DemoKey, DemoLogin } from './kept-keys.js';
import { type DemoLanguage, type DemoWords, demoWords, languageOf, type Say } from './language.rules.js';
import { loadHistory } from './load-history.js';
import { loadQuality } from './load-quality.js';
import { loadReadings } from './load-readings.js';
import { loadRecalls } from './load-recalls.js';
import { demoPartners, type Place, WAREHOUSES, ZONES } from './partners.rules.js';
import {
  ADMINISTRATOR,
  isOfDemo,
  QUALITY,
  QUALITY_MANAGER,
  SALES,
  STAFF,
  WAREHOUSE,
} from './people.rules.js';
import { type DemoProduct, demoProducts } from './products.rules.js';
import { openingHolds, openingStock, STOCKED_DAYS_AGO } from './stock.rules.js';
import type { People } from './work-order.js';

const CODE = 'demo';

export interface Demo {
  organization: Organization;
  keys: DemoKey[];
  /** How to sign in, or null if the password is not known. */
  login: DemoLogin | null;
  /** False if the demo existed before. */
  loadedNow: boolean;
}

export interface DemoOptions {
  /** The first address that no other organization uses becomes the administrator. */
  adminEmails: readonly [string, ...string[]];
  /** Password to sign in with; generated if null. */
  password?: string | null;
  /** The file that keeps its keys and password in clear text; null for none. */
  keysFile: string | null;
  onProgress: (message: string) => void;
  /** For a new demo; English if omitted. */
  language?: DemoLanguage;
}

/**
 * Creates the demo organization, or its missing parts. Every step is recorded in its own transaction: a process that dies
 * leaves only complete steps, and two processes that load at once share the work.
 */
export async function loadDemo(database: Database, options: DemoOptions): Promise<Demo> {
  const { organization, state } = await requireOrganization(database, options);
  const loadedNow = state !== 'loaded';
  if (loadedNow) await loadAll(database, organization, options);
  const keys = await demoKeys(database, organization, [WAREHOUSE, QUALITY], options.keysFile);
  // Runs for existing demos too: older versions loaded them without passwords.
  const login = await demoLogin(database, organization, [WAREHOUSE, QUALITY], {
    password: options.password ?? null,
    file: options.keysFile,
  });
  if (loadedNow) await nowhere(database, markDemoLoaded);
  return { organization, keys, login, loadedNow };
}

export const demoState = (database: Database): Promise<DemoState> => nowhere(database, readDemoState);

/** A transaction without an organization, which sees the rows of none. */
const nowhere = <T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  transact(database, systemPrincipal('', 'operator@lotward.invalid'), work);

/** The id of the demo organization, or null if this installation has none. */
export async function demoOrganizationId(database: Database): Promise<string | null> {
  const found = await findOrganization(database.reader, CODE);
  return found && (await demoState(database)) !== 'absent' ? found.orgId : null;
}

async function requireOrganization(
  database: Database,
  { adminEmails: [operator], language = 'en' }: DemoOptions,
): Promise<{ organization: Organization; state: DemoState }> {
  // The order matters: another process records the demo as begun before it creates the organization.
  const found = await findOrganization(database.reader, CODE);
  const state = await demoState(database);
  if (found && state !== 'absent') return { organization: found, state };
  if (found)
    throw new StartRefused(
      `There is an organization "${CODE}" that is not the demo: nothing was loaded into it.`,
    );
  await nowhere(database, markDemoBegun);
  try {
    const edition = 'standard';
    const { organization: name, timeZone } = demoWords(language);
    const input = { code: CODE, name, timeZone, edition } as const;
    return { organization: await createOrganization(database, operator, input), state: 'begun' };
  } catch (error) {
    const made = error instanceof Refusal ? await findOrganization(database.reader, CODE) : null;
    if (!made) throw error;
    return { organization: made, state: 'begun' };
  }
}

/** Keeps a step well under a second, because another process may be waiting for it. */
const PRODUCTS_PER_STEP = 20;
const LANES = 3;
const PRODUCTS_PER_REPORT = 80;
const DAY_MS = 86_400_000;
const HELD_DAYS_AGO = STOCKED_DAYS_AGO - 0.5;

async function loadAll(database: Database, organization: Organization, options: DemoOptions): Promise<void> {
  const today = businessDay(organization, database.clock.now());
  const language = languageOf(organization);
  const words = demoWords(language);
  const products = demoProducts(words);
  const now = database.clock.now().getTime();
  const once = (step: string, actor: string, work: (tx: Tx) => Promise<void>, daysAgo = 0) => {
    const then = { ...database, clock: { now: () => new Date(now - daysAgo * DAY_MS) } };
    return transact(then, systemPrincipal(organization.orgId, actor, organization), async (tx) => {
      if (await claimDemoStep(tx, step)) await work(tx);
    });
  };
  const [admin] = options.adminEmails;
  const report = (done: number) =>
    options.onProgress(`Loading demo data: ${done} of ${products.length} products`);

  report(0);
  await once('people', admin, (tx) => makePeople(tx, options.adminEmails, language));
  await once('catalogue', admin, (tx) => makeCatalogue(tx, products, words));
  const groups = Array.from({ length: Math.ceil(products.length / PRODUCTS_PER_STEP) }, (_, n) => n);
  let done = 0;
  const lane = async () => {
    for (let n = groups.shift(); n !== undefined; n = groups.shift()) {
      const group = products.slice(n * PRODUCTS_PER_STEP, (n + 1) * PRODUCTS_PER_STEP);
      await once(`stock/${n}`, WAREHOUSE, (tx) => makeStock(tx, group, today, words), STOCKED_DAYS_AGO);
      done += group.length;
      if (done % PRODUCTS_PER_REPORT === 0) report(done);
    }
  };
  await allEnded(Array.from({ length: LANES }, lane));
  await once('holds', QUALITY, (tx) => makeHolds(tx, products, today, words), HELD_DAYS_AGO);
  await once('certificates', QUALITY, (tx) => putCertificates(tx, demoCertificates(products, today, words)));
  await loadReadings(database, demoPeople(organization));
  await loadHistory(database, demoPeople(organization), products, (orders, of) =>
    options.onProgress(`Loading demo data: ${orders} of ${of} orders`),
  );
  await loadQuality(database, demoPeople(organization), products);
  await loadRecalls(database, demoPeople(organization), products);
}

export function demoPeople(organization: Organization): People {
  const person = (email: string) => systemPrincipal(organization.orgId, email, organization);
  return {
    sales: person(SALES),
    warehouse: person(WAREHOUSE),
    quality: person(QUALITY),
    qualityManager: person(QUALITY_MANAGER),
    words: demoWords(languageOf(organization)),
  };
}

/** Waits for all lanes, then throws the first failure. */
async function allEnded(lanes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failed) throw failed.reason;
}

async function makePeople(tx: Tx, adminEmails: readonly string[], language: DemoLanguage): Promise<void> {
  const { timeZone, say } = demoWords(language);
  const people = [await makeAdministrator(tx, adminEmails, say)];
  for (const { name, ...person } of STAFF)
    people.push(await createUser(tx, { ...person, name: say(name), isNewPerson: true }));
  // The console uses the language and time zone of the data, not the browser's.
  if (language === 'zh')
    for (const { userId } of people) await choosePreferences(tx, userId, { language: 'zh-CN', timeZone });
}

async function makeAdministrator(
  tx: Tx,
  [email = '', ...others]: readonly string[],
  say: Say,
): Promise<{ userId: string }> {
  try {
    const name = isOfDemo(email) ? { name: say(ADMINISTRATOR) } : {};
    // The demo sets these people's passwords, so their addresses must not belong to anyone else.
    return await createUser(tx, { email, role: 'admin', ...name, isNewPerson: true });
  } catch (error) {
    if (others.length === 0 || !(error instanceof Refusal)) throw error;
    return makeAdministrator(tx, others, say);
  }
}

async function makeCatalogue(tx: Tx, products: readonly DemoProduct[], { say }: DemoWords): Promise<void> {
  const named = ({ code, name }: Place) => ({ code, name: say(name) });
  for (const warehouse of WAREHOUSES)
    await putWarehouse(tx, { ...named(warehouse), zones: ZONES.map(named) });
  await putPartners(tx, demoPartners(say));
  await putProducts(
    tx,
    products.map((product) => product.put),
  );
}

/** This many products fill a sandbox usefully within a second or two. */
const SANDBOX_PRODUCTS = 20;

/** Fills an organization with a part of the demo: partners, warehouses, products, certificates and stock. */
export async function loadDemoCatalogue(
  tx: Tx,
): Promise<{ partners: number; warehouses: number; products: number; certificates: number }> {
  const words = demoWords('en');
  const all = demoProducts(words);
  const products = all.slice(0, SANDBOX_PRODUCTS);
  const codes = new Set(products.map(({ put }) => put.productCode));
  const certificates = demoCertificates(all, tx.today, words).filter(
    ({ subjectType, subjectCode }) => subjectType !== 'product' || codes.has(subjectCode),
  );
  await makeCatalogue(tx, products, words);
  await makeStock(tx, products, tx.today, words);
  await putCertificates(tx, certificates);
  return {
    partners: demoPartners(words.say).length,
    warehouses: WAREHOUSES.length,
    products: products.length,
    certificates: certificates.length,
  };
}

async function makeStock(
  tx: Tx,
  products: readonly DemoProduct[],
  today: string,
  { say }: DemoWords,
): Promise<void> {
  for (const product of products)
    for (const { reason, ...adjustment } of openingStock(product, today))
      await adjustStock(tx, { ...adjustment, reason: say(reason) });
}

async function makeHolds(
  tx: Tx,
  products: readonly DemoProduct[],
  today: string,
  { say }: DemoWords,
): Promise<void> {
  for (const product of products)
    for (const { reason, ...hold } of openingHolds(product, today))
      await holdStock(tx, { ...hold, reason: say(reason) });
}
