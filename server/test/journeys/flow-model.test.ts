import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, sized, stockCatalogue, type TestOrganization } from '../harness/index.js';
import { Chance } from './chance.js';
import { FlowDriver } from './flow-driver.js';
import { exceptionsIn } from './flow-invariants.js';
import { drawVerbs, VERBS } from './flow-verbs.js';
import { openFlow, type World } from './flow-world.js';

const seed = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));
const SEQUENCES = sized(2, 2_000);
/** A run goes on so far if its sequences tried too little, or too little got through. */
const SEQUENCES_MAX = Math.max(SEQUENCES, 60);
const STEPS = 20;
const SUCCESSES_MIN = sized(1, 10);
/** A run in which hardly anything got through would prove little. */
const SUCCESSES = [
  'approve ok',
  'dispatch ok',
  'pick ok',
  'recheck pass',
  'deliver ok',
  'accept ok',
  'correct ok',
  'moveHeld ok',
];
/** Enough of one organization: the checks look at all of it, every time. */
const SEQUENCES_PER_ORGANIZATION = 20;

describe('everything at once', () => {
  let world: World;
  beforeAll(async () => {
    world = await openFlow();
  });
  afterAll(() => world.close());

  async function newPeople(): Promise<{ org: TestOrganization; keys: string[] }> {
    const org = await newOrganization(world.db);
    await stockCatalogue(world.api, org.key);
    const others = await Promise.all(
      ['b', 'c', 'd'].map(async (who) => (await org.newKey({ owner: `${who}@people.example` })).apiKey),
    );
    return { org, keys: [org.key, ...others] };
  }

  it(
    `stock, orders, events and audit agree after any sequence of four people (${SEQUENCES} sequences, seed ${seed})`,
    async () => {
      const outcomes = new Map<string, number>();
      const rare = () => SUCCESSES.filter((name) => (outcomes.get(name) ?? 0) < SUCCESSES_MIN);
      const untried = () => {
        const tried = new Set([...outcomes.keys()].map((name) => name.split(' ')[0]));
        return VERBS.filter((verb) => !tried.has(verb));
      };
      const isThin = () => rare().length + untried().length > 0;
      let people = await newPeople();
      const verbs = people.keys.map((_, actor) => drawVerbs(new Chance(seed - 1 - actor)));
      for (let i = 0; i < SEQUENCES || (i < SEQUENCES_MAX && isThin()); i++) {
        if (i > 0 && i % SEQUENCES_PER_ORGANIZATION === 0) people = await newPeople();
        const driver = new FlowDriver(world, people.org, `S${i}`);
        await driver.prepare();
        const done = await Promise.allSettled(
          people.keys.map(async (key, actor) => {
            const chance = new Chance(seed + i * 10 + actor);
            for (let step = 0; step < STEPS; step++)
              await driver.step(verbs[actor]?.next().value ?? 'order', chance, key);
          }),
        );
        expect(done.filter((each) => each.status === 'rejected')).toEqual([]);
        const found = await exceptionsIn(world.db, people.org.organization.orgId);
        expect({ seed, sequence: i, found }).toEqual({ seed, sequence: i, found: {} });
        for (const [name, n] of driver.outcomes) outcomes.set(name, (outcomes.get(name) ?? 0) + n);
      }
      const table = [...outcomes].sort(([a], [b]) => a.localeCompare(b)).map(([name, n]) => `${name} ${n}`);
      console.log(`flow model: ${SEQUENCES} sequences, seed ${seed}: ${table.join(', ')}`);
      expect([...rare(), ...untried()]).toEqual([]);
    },
    sized(300_000, 7_200_000),
  );
});
