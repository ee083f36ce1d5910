import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { CITUS_URL } from '../harness/cluster.js';
import { runCommand } from '../harness/index.js';
import { Chance } from '../journeys/chance.js';
import { OrderLoad } from '../journeys/order-load.js';
import { expectOrders } from '../journeys/stored-orders.js';
import { ClusterWorld, type PlacedOrganization } from './cluster-world.js';
import { LocalNode } from './local-node.js';

const SEED = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));
const CLIENTS = 3;
/** Each organization gets so many answers between two faults. */
const PROGRESS = 30;
const POLLED = { timeout: 180_000, interval: 100 };

describe.runIf(CITUS_URL)(`under orders of organizations on every node (seed ${SEED})`, () => {
  let world: ClusterWorld;
  let coordinator: LocalNode;
  let workers: LocalNode[];
  const loads = new Map<PlacedOrganization, OrderLoad>();

  beforeAll(async () => {
    const server = inject('postgresUrl');
    world = new ClusterWorld();
    await world.open();
    const nodes = await world.rows<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by nodeid',
    );
    coordinator = await LocalNode.at(server);
    workers = await Promise.all(
      nodes.map(({ host, port }) =>
        LocalNode.at(Object.assign(new URL(server), { hostname: host, port }).toString()),
      ),
    );
    await world.addOrganizations(workers.length);
    for (const [i, org] of world.orgs.entries()) {
      const staff = await Promise.all(
        Array.from({ length: CLIENTS }, async () => ({
          picker: (await org.newKey({ owner: 'picker@test.example' })).apiKey,
          checker: (await org.newKey({ owner: 'checker@test.example' })).apiKey,
        })),
      );
      const chance = new Chance(SEED + i);
      loads.set(org, new OrderLoad(world, staff, (below) => chance.below(below)).begin(CLIENTS));
    }
  });
  afterAll(async () => {
    await Promise.all([...loads.values()].map((load) => load.finish()));
    await world?.close();
    for (const node of [coordinator, ...(workers ?? [])]) await node?.relax();
  });

  /** Resolves when each of these organizations has got so many answers more. */
  async function progress(orgs: readonly PlacedOrganization[] = world.orgs): Promise<void> {
    const goals = orgs.map((org) => ({ load: loads.get(org), goal: answers(org) + PROGRESS }));
    await vi.waitFor(() => {
      for (const { load, goal } of goals) {
        expect(load?.failures).toEqual([]);
        expect(load?.acknowledged).toBeGreaterThan(goal);
      }
    }, POLLED);
  }
  const answers = (org: PlacedOrganization) => loads.get(org)?.acknowledged ?? 0;

  /** Prints how long callers waited during this, and what they saw. */
  async function measured(what: string, work: () => Promise<unknown>): Promise<void> {
    world.longestWaitMs = 0;
    world.repeated.clear();
    const startedMs = performance.now();
    await work();
    await progress();
    console.log(
      `${what}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s in all, longest wait of a request ` +
        `${(world.longestWaitMs / 1000).toFixed(1)} s, repeated ${JSON.stringify(Object.fromEntries(world.repeated))}`,
    );
  }

  it.each(['api', 'worker'] as const)('the %s is killed and started again', async (command) => {
    await progress();
    await measured(`kill of the ${command}`, async () => {
      await world.kill(command);
      await world.start(command);
    });
  });

  it('a node is killed: organizations of others go on, and its own do when it is back', async () => {
    const [node] = workers;
    const others = world.orgs.filter(({ nodePort }) => nodePort !== node?.port);
    expect(others.length).toBeGreaterThan(0);
    await measured('kill of a node', async () => {
      await node?.kill();
      await progress(others);
      await node?.start();
    });
  });

  it('the coordinator is killed, and all go on when it is back', async () => {
    await measured('kill of the coordinator', async () => {
      await coordinator.kill();
      await coordinator.start();
    });
  });

  it('an organization is moved to another node, and its callers at most wait', async () => {
    const [org] = world.orgs;
    const [from, to] = [
      workers.find(({ port }) => port === org?.nodePort),
      workers.find(({ port }) => port !== org?.nodePort),
    ];
    if (!org || !from || !to) throw new Error('no other node to move to');
    const { shard } = await world.placeOf(org);
    await measured('move of an organization', () =>
      world.rows(`select citus_move_shard_placement($1::bigint, 'localhost', $2, 'localhost', $3, 'auto')`, [
        shard,
        from.port,
        to.port,
      ]),
    );
    expect((await world.placeOf(org)).port).toBe(to.port);
  });

  it('nothing acknowledged is lost, nothing invented, nothing done twice', async () => {
    await Promise.all([...loads.values()].map((load) => load.finish()));
    await world.settled();
    for (const [org, load] of loads) {
      expect(load.failures).toEqual([]);
      await expectOrders(world, org, load.sent);
    }
    const sent = [...loads.values()].reduce((sum, load) => sum + load.sent.length, 0);
    const answered = [...loads.values()].reduce((sum, load) => sum + load.acknowledged, 0);
    console.log(`orders: ${sent}, answers ${answered}, of ${world.orgs.length} organizations`);
    for (const what of ['stock', 'audit']) {
      const { exitCode, out, err } = await runCommand({ url: world.url }, what, 'verify', '--json');
      expect([what, exitCode, exitCode === 0 ? '' : out + err]).toEqual([what, 0, '']);
    }
  });
});
