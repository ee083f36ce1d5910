import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callApi, fullTier, sized, startCommandWith } from '../harness/index.js';
import { Chance } from './chance.js';
import { CrashWorld, CUSTOMER, FAULTS, type Fault } from './crash-world.js';
import { changesOfOrders, expectDelivered, expectEveryWrite, expectInOrder } from './delivered-events.js';
import { EventWriter } from './event-writer.js';
import { OrderLoad, type Wire } from './order-load.js';
import { afterMs } from './pace.js';
import { openReadings } from './reading-load.js';
import { isAlive, type RunningCommand } from './service-process.js';
import { type Adjusted, openStock, PRODUCT, STOCK_ORG, type Stock, StockLoad, sumsOf } from './stock-load.js';
import { expectOrders } from './stored-orders.js';
import { expectedOf, storedReadings } from './stored-readings.js';

const KILLS = sized(2, 30);
const ORGANIZATIONS = sized(2, 3);
const STOCK_CLIENTS = sized(2, 8);
const ORDER_CLIENTS = sized(2, 3);
const EVENTS = sized(100, 100_000);
/** Events written at once in each organization, and how often, until the last kill. */
const BATCH = sized(3, 50);
const WRITE_EVERY_MS = sized(400, 200);
/** A key may make 1,000 requests a minute, and each client has its own. In the moments before a kill they hurry. */
const PACE_MS = sized(250, 70);
const PATIENCE_MS = 120_000;
const SEED = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));

const USUAL_FAULTS = ['service', 'database'] as const satisfies Fault[];

interface Verdict {
  ok: boolean;
  firstDifference: object | null;
  organizations: { organization: string; head?: string }[];
}

const world = new CrashWorld();
const chance = new Chance(SEED);
let stock: Stock;
let opening: Adjusted[];
let stockLoad: StockLoad;
let orderLoads: OrderLoad[];
let readings: Awaited<ReturnType<typeof openReadings>>;
let writer: EventWriter;

beforeAll(async () => {
  world.paceMs = PACE_MS;
  await world.open(ORGANIZATIONS);
  stock = await openStock(world, STOCK_CLIENTS);
  opening = await stock.ledger();
  stockLoad = new StockLoad(world, stock, KILLS);
  readings = await openReadings(world, SEED, share);
  writer = new EventWriter(world.database);
}, 240_000);
afterAll(() => world.close(), 120_000);

/** The part of a load that may be done by now, so that some is left for every kill. */
const share = () => (world.kills.length + 1) / (KILLS + 1);

const wire: Wire = {
  post: (path, body, key, idempotencyKey) =>
    world.send(path, body, key, { 'idempotency-key': idempotencyKey }),
  recovered: (idempotencyKey) => world.wasDone(idempotencyKey),
};

/** Orders through the API in every organization, each client with keys of its own. */
const beginOrders = (): Promise<OrderLoad[]> =>
  Promise.all(
    world.orgs.map(async (org, i) => {
      const staff = await Promise.all(
        Array.from({ length: ORDER_CLIENTS }, async () => ({
          picker: (await org.newKey({ owner: 'picker@test.example' })).apiKey,
          checker: (await org.newKey({ owner: 'checker@test.example' })).apiKey,
        })),
      );
      const choice = new Chance(SEED + 200 + i);
      return new OrderLoad(wire, staff, (below) => choice.below(below)).begin(ORDER_CLIENTS);
    }),
  );

/**
 * Writes in all organizations until the signal, no more than a share of all between two kills. Some are always written when one
 * comes: beyond the share one by one, or a slow machine, which takes long to kill and start, would have millions to push.
 */
async function writeEvents(until: AbortSignal): Promise<void> {
  await Promise.all(
    world.orgs.map(async ({ organization }, i) => {
      for (let n = i; !until.aborted; n++) {
        const isWithinShare = writer.log.length < EVENTS * share();
        const count = isWithinShare ? BATCH : world.isHurrying ? 1 : 0;
        if (count > 0) await writer.write(organization.orgId, count, n % 2 === 0 ? CUSTOMER : null);
        await afterMs(world.isHurrying ? 0 : WRITE_EVERY_MS);
      }
    }),
  );
}

/** Writes until there are so many in all. */
async function writeRest(count: number): Promise<void> {
  const enough = writer.log.length + count;
  for (let n = 0; writer.log.length < enough; n++) {
    const org = world.orgs[n % world.orgs.length];
    await writer.write(org?.organization.orgId ?? '', BATCH, n % 2 === 0 ? CUSTOMER : null);
  }
}

/**
 * By default one of two processes dies, then the database alone. That a start recovers a database which died with all of
 * its processes is tested with the embedded database.
 */
function drawFaults(): Fault[] {
  if (!fullTier) return [...USUAL_FAULTS];
  const faults = Array.from({ length: KILLS }, (_, i) => FAULTS[i % FAULTS.length] ?? 'service');
  for (let i = faults.length - 1; i > 0; i--) {
    const j = chance.below(i + 1);
    [faults[i], faults[j]] = [faults[j] ?? 'service', faults[i] ?? 'service'];
  }
  return faults;
}

const failures = () => [...stockLoad.failures, ...orderLoads.flatMap((load) => load.failures)];
const acknowledgedOrders = () => orderLoads.reduce((sum, load) => sum + load.acknowledged, 0);
const sentByApi = () => readings.gateways.reduce((sum, { sent }) => sum + sent, 0);
const totalByApi = () => readings.gateways.reduce((sum, { total }) => sum + total, 0);

/** Resolves when every load has got on since the last kill. */
async function takenHold(): Promise<void> {
  const [adjusted, ordered] = [stockLoad.acknowledged.length, acknowledgedOrders()];
  const part = (world.kills.length + 0.5) / (KILLS + 1);
  await vi.waitFor(
    () => {
      expect(failures()).toEqual([]);
      expect(stockLoad.acknowledged.length).toBeGreaterThan(adjusted + STOCK_CLIENTS);
      expect(acknowledgedOrders()).toBeGreaterThan(ordered + 3 * ORDER_CLIENTS);
      expect(sentByApi()).toBeGreaterThan(totalByApi() * part);
    },
    { timeout: sized(PATIENCE_MS, 600_000), interval: 100 },
  );
}

async function pushesGrow(by: number): Promise<void> {
  const known = world.receiver.pushes;
  await vi.waitFor(() => expect(world.receiver.pushes).toBeGreaterThan(known + by), {
    timeout: PATIENCE_MS,
    interval: 100,
  });
}

/** Kills at a drawn moment under full load. */
async function strikeUnderLoad(fault: Fault): Promise<string> {
  await Promise.all([takenHold(), pushesGrow(20)]);
  const delayMs = chance.below(sized(300, 1_500));
  const kill = () => world.strike(fault, delayMs, () => writer.open === world.orgs.length);
  // By default the broker's readings meet the first kill: it hits the process that takes them.
  const part = world.kills.length / KILLS;
  if (fullTier || world.kills.length === 0) await readings.device.publishAround(part, kill);
  else await kill();
  return `${fault} after ${delayMs} ms`;
}

async function expectSound(): Promise<void> {
  for (const what of ['stock', 'audit'])
    expect([what, await world.home.cli<Verdict>(what, 'verify')]).toEqual([
      what,
      expect.objectContaining({ ok: true, firstDifference: null }),
    ]);
}

describe(`API, workers and database killed at any moment (${KILLS} kills, seed ${SEED})`, () => {
  it(
    'come back: the service by a restart, the database by itself, and requests that miss it get 500 / 9999',
    async () => {
      const beganMs = performance.now();
      const pace = new Chance(SEED + 100);
      // Slow answers, so that pushes are in flight when their worker is killed.
      world.receiver.answerAfterMs = () => 5 + pace.below(75);
      await readings.device.begin();
      await world.requireOther();
      stockLoad.begin();
      orderLoads = await beginOrders();
      const gateways = Promise.all(readings.gateways.map((gateway) => gateway.run()));
      gateways.catch(() => {});
      const survived = new AbortController();
      const writing = writeEvents(survived.signal);
      const moments: string[] = [];
      for (const fault of drawFaults()) {
        moments.push(await strikeUnderLoad(fault));
      }
      await takenHold();
      survived.abort();
      world.paceMs = 0;
      await Promise.all([gateways, writing, stockLoad.finish(), ...orderLoads.map((load) => load.finish())]);
      expect(failures()).toEqual([]);
      console.log(
        `crash: ${moments.join(', ')}; seed ${SEED}; ${((performance.now() - beganMs) / 1000).toFixed(1)} s`,
      );
      expect(new Set(world.kills), 'invalid run: a kind of kill is missing').toEqual(
        new Set(fullTier ? FAULTS : USUAL_FAULTS),
      );
      expect(world.outages, 'invalid run: nobody noticed that the database was away').toBeGreaterThan(0);
      await expectSound();
    },
    sized(400_000, 7_200_000),
  );

  it('stock: nothing acknowledged is lost, nothing is done twice', async () => {
    const { acknowledged, refused, unknown, lost } = stockLoad;
    console.log(
      `stock: ${acknowledged.length} acknowledged, ${refused} refused, ${unknown} unknown and resolved`,
    );
    expect(unknown, 'no outcome was ever unknown: the run proves nothing').toBeGreaterThan(0);
    expect(lost, 'no lost response was repeated after a kill').toBeGreaterThan(0);
    const rows = await stock.ledger();
    const ids = rows.map((row) => row.movementId).sort();
    expect(ids).toEqual([...opening, ...acknowledged].map((row) => row.movementId).sort());
    const balances = await stock.balances();
    expect(sumsOf([...opening, ...acknowledged])).toEqual(balances);
    expect(sumsOf(rows)).toEqual(balances);
  });

  it('orders: nothing acknowledged is lost, nothing invented, nothing done twice', async () => {
    const total = (of: (load: OrderLoad) => number) => orderLoads.reduce((sum, load) => sum + of(load), 0);
    console.log(
      `orders: ${total(({ sent }) => sent.length)} orders, ${acknowledgedOrders()} answers; of unknown outcomes ` +
        `${total((load) => load.unknownDone)} had been done and ${total((load) => load.unknownNotDone)} not`,
    );
    expect(
      total((load) => load.unknown),
      'no outcome was ever unknown: the run proves nothing',
    ).toBeGreaterThan(0);
    for (const [i, org] of world.orgs.entries()) await expectOrders(world, org, orderLoads[i]?.sent ?? []);
  });

  it('readings through the API are all there once, with the alerts and events they must have', async () => {
    const { gateways } = readings;
    const unknown = gateways.reduce((sum, gateway) => sum + gateway.unknown, 0);
    const again = gateways.reduce((sum, gateway) => sum + gateway.again, 0);
    console.log(
      `readings: ${sentByApi()} sent, ${again} batches twice, ${unknown} outcomes unknown and resolved`,
    );
    expect(unknown, 'no outcome was ever unknown: the run proves nothing').toBeGreaterThan(0);
    const streams = gateways.flatMap((gateway) => gateway.streams);
    expect(await storedReadings(world, streams)).toEqual(expectedOf(streams));
  });

  it(
    'readings through a broker are all there once, with the alerts and events they must have',
    async () => {
      const { device } = readings;
      await device.publishRest();
      console.log(`readings by MQTT: ${device.sent} sent, ${device.unfinished} kills with some on their way`);
      expect(device.sent).toBe(device.total);
      // On a busy machine, two kills may both come when all is stored.
      if (fullTier)
        expect(device.unfinished, 'nothing was ever on its way: the run proves nothing').toBeGreaterThan(0);
      expect(await storedReadings(world, device.streams)).toEqual(expectedOf(device.streams));
    },
    sized(240_000, 900_000),
  );

  it(
    `every event reaches every endpoint that subscribed to it, in order (N = ${EVENTS})`,
    async () => {
      world.receiver.answerAfterMs = () => 0;
      const byOrders = orderLoads.reduce((sum, load) => sum + changesOfOrders(load).length, 0);
      await writeRest(EVENTS - byOrders - writer.log.length);
      const byOrg = await expectEveryWrite(world, orderLoads, writer);
      await Promise.all(world.hooks.map((hook) => expectDelivered(world, hook, byOrg.get(hook.orgId) ?? [])));
      await expectInOrder(world, byOrg);
      const { pushes, repeated, contradictions } = world.receiver;
      const events = [...byOrg.values()].reduce((sum, some) => sum + some.length, 0);
      const failed = await world.rows('select from webhook_attempts where not delivered');
      console.log(
        `pushes: ${events} events (${byOrders} by orders) at ${world.hooks.length} endpoints; ${pushes} pushes, ` +
          `${repeated} of them again; ${world.inFlightAtKills} in flight at a kill of their worker; ${failed.length} attempts ` +
          `failed; ${writer.unknown} outcomes of writes unknown`,
      );
      expect(contradictions).toEqual([]);
      expect(events).toBeGreaterThanOrEqual(EVENTS);
      expect(writer.unknown, 'invalid run: no write was running at any kill').toBeGreaterThan(0);
      expect(world.inFlightAtKills, 'invalid run: no push was in flight at any kill').toBeGreaterThan(0);
    },
    sized(240_000, 1_800_000),
  );
});

describe('verifying by command, beside the running server', () => {
  const verdict = async (...args: string[]) => {
    const { exitCode, out } = await world.home.command(...args, '--json');
    return { code: exitCode, ...(JSON.parse(out) as Verdict) };
  };

  it('names the first difference of a balance that was tampered with, and exits with 1', async () => {
    const tamper = (by: number) =>
      world.rows('update balances set quantity = quantity + $1 where product_code = $2 and batch_no = $3', [
        by,
        PRODUCT,
        'B4',
      ]);
    await tamper(5);
    const place = { organization: STOCK_ORG, productCode: PRODUCT, warehouse: 'WH-1', batchNo: 'B4' };
    expect(await verdict('stock', 'verify')).toMatchObject({ code: 1, ok: false, firstDifference: place });
    await tamper(-5);
    expect(await verdict('stock', 'verify', '--org', STOCK_ORG)).toMatchObject({ code: 0, ok: true });
  });

  it('notices by the head noted before that the end of the audit was cut off, head and all', async () => {
    const noted = (await verdict('audit', 'verify', '--org', STOCK_ORG)).organizations[0]?.head ?? '';
    const expecting = ['audit', 'verify', '--org', STOCK_ORG, '--expect-head', noted];
    expect(await verdict(...expecting)).toMatchObject({ code: 0, ok: true });
    const org = '(select org_id from organizations where code = $1)';
    await world.rows(
      `delete from audit_entries where org_id = ${org}
         and position > (select position - 3 from audit_heads where org_id = ${org})`,
      [STOCK_ORG],
    );
    await world.rows(
      `update audit_heads h set (position, hash) = (
         select e.position, e.hash from audit_entries e where e.org_id = h.org_id order by e.position desc limit 1)
       where org_id = ${org}`,
      [STOCK_ORG],
    );
    expect(await verdict('audit', 'verify', '--org', STOCK_ORG)).toMatchObject({ code: 0, ok: true });
    expect(await verdict(...expecting)).toMatchObject({
      code: 1,
      ok: false,
      firstDifference: { organization: STOCK_ORG, problem: 'the expected head is not in the chain' },
    });
  });
});

describe('two on one folder', () => {
  let other: RunningCommand;
  const adjust = (url: string, batchNo: string, key = stock.key, headers = {}) =>
    callApi<Adjusted>(
      url,
      'POST',
      '/v2/stock/adjustments',
      stock.adjustment(batchNo, 1, 'signal'),
      key,
      headers,
    );

  /** By default within this process. */
  async function startLate(): Promise<{ exitCode: number | null; output: string }> {
    if (fullTier) {
      const late = world.home.start('start', world.port);
      return { exitCode: (await late.exit).code, output: late.output };
    }
    const { said, ended } = startCommandWith(world.home.settings({ PORT: String(world.port) }), 'start');
    return { exitCode: await ended, output: said.out + said.err };
  }

  it('a port that is taken is said so in one line, and the exit code is 1', async () => {
    const { exitCode, output } = await startLate();
    expect(exitCode).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      expect.stringContaining(`Port ${world.port} on 127.0.0.1 is taken.`),
    ]);
    expect((await callApi(world.url, 'GET', '/readyz')).status).toBe(200);
  });

  it('a second process serves the same stock on its own port', async () => {
    other = await world.requireOther();
    expect(await stock.balances(other.url)).toEqual(await stock.balances());
  });

  it('one stopped under load answers every started request, and leaves database and data to the other', async () => {
    const before = await stock.balances();
    const outcomes: { key: string; answered: boolean; delta: number }[] = [];
    let stopping = false;
    const clients = stock.keys.map(async (apiKey) => {
      while (!stopping) {
        const key = randomUUID();
        const answer = await adjust(world.url, 'B2', apiKey, { 'idempotency-key': key }).catch(() => null);
        outcomes.push({ key, answered: answer !== null, delta: answer?.status === 200 ? 1 : 0 });
        if (answer === null) return;
        expect([answer.status, answer.code]).toEqual(answer.status === 200 ? [200, 0] : [500, 9999]);
      }
    });
    await vi.waitFor(() => expect(outcomes.length).toBeGreaterThan(40), PATIENCE_MS);
    const postmaster = world.home.postmasterPid ?? 0;
    expect(await world.service.end('SIGTERM')).toEqual({ code: 0, signal: null });
    stopping = true;
    await Promise.all(clients);
    expect(isAlive(postmaster)).toBe(true);

    const unanswered = outcomes.filter((outcome) => !outcome.answered).map((outcome) => outcome.key);
    expect(await world.rows('select key from idempotency_keys where key = any($1)', [unanswered])).toEqual(
      [],
    );
    const acknowledged = outcomes.reduce((sum, outcome) => sum + outcome.delta, 0);
    expect((await stock.balances(other.url)).B2).toBe((before.B2 ?? 0) + acknowledged);
    expect((await adjust(other.url, 'B3')).status).toBe(200);
    console.log(
      `stop under load: ${acknowledged} acknowledged, ${unanswered.length} never taken, of ${outcomes.length}`,
    );
  });

  it('the last one answers requests in flight, exits with 0 and stops its database', async () => {
    const blocker = await world.home.owner();
    await blocker.query('begin');
    await blocker.query('select from products where product_code = $1 for update', [PRODUCT]);
    const inFlight = Array.from({ length: 5 }, () => adjust(other.url, 'B1'));
    await vi.waitFor(async () => {
      const rows = await world.rows(
        `select count(*)::integer as count from pg_stat_activity where wait_event_type = 'Lock' and datname = 'lotward'`,
      );
      // The others wait without a connection.
      expect(rows).toEqual([{ count: 3 }]);
    }, PATIENCE_MS);
    const postmaster = world.home.postmasterPid ?? 0;
    other.child.kill('SIGTERM');
    // It no longer takes new callers, but it still knows the old ones.
    await vi.waitFor(() => expect(callApi(other.url, 'GET', '/healthz')).rejects.toThrow(), PATIENCE_MS);
    expect(other.child.exitCode).toBeNull();
    await blocker.query('commit');
    await blocker.end();
    const answers = (await Promise.all(inFlight)).map(({ status, reason }) => reason ?? status);
    expect(answers).toHaveLength(5);
    // On a slow machine the lock is held for longer than a request waits for it.
    for (const answer of answers) expect([200, 'record_locked']).toContain(answer);
    expect(await other.exit).toEqual({ code: 0, signal: null });
    expect(isAlive(postmaster)).toBe(false);
    // Every command works without a server too.
    await expectSound();
    expect(world.home.postmasterPid).toBeNull();
  });
});
