import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.js';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import { callApi, sized } from '../harness/index.js';
import { Chance } from './chance.js';
import { LIMITS, ReadingStream, type StreamedReading, spanOf } from './reading-stream.js';
import { Installation, type RunningCommand } from './service-process.js';
import { expectedOf, storedReadings } from './stored-readings.js';

const READINGS = sized(6_000, 1_000_000);
const KILLS = sized(1, 12);
const CLIENTS = 6;
const POINTS_PER_CLIENT = 5;
const BATCH_MAX = sized(60, 800);
const SCOPES = ['products:write', 'environment:read', 'environment:write'] as const;
const PATIENCE_MS = 120_000;
const seed = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));

let home: Installation;
let port: number;
let service: RunningCommand;
let keys: string[];
let streams: ReadingStream[][];

beforeAll(async () => {
  home = await new Installation().prepare();
  port = await freePort();
  service = home.start('start', port);
  await service.ready;
  // One key each, so that the rate limit is not reached.
  const key = { scopes: SCOPES, owner: 'cold@test.example' };
  keys = await home.addOrganization('cold', Array<typeof key>(CLIENTS).fill(key));
  const perPoint = Math.ceil(READINGS / CLIENTS / POINTS_PER_CLIENT);
  const startMs = Math.floor(systemClock.now().getTime() / 1000) * 1000 - spanOf(perPoint);
  streams = Array.from({ length: CLIENTS }, (_, c) =>
    Array.from(
      { length: POINTS_PER_CLIENT },
      (_, p) => new ReadingStream(`SENSOR-${c}-${p}`, seed + c * 100 + p, startMs, perPoint),
    ),
  );
  await must('PUT', '/v2/warehouses/WH-1', { name: 'Main' });
  for (const { pointId } of streams.flat())
    await must('PUT', `/v2/environment/points/${pointId}`, {
      name: pointId,
      warehouse: 'WH-1',
      temperature: LIMITS,
    });
});
afterAll(() => home?.remove(), 60_000);

async function must(method: string, path: string, body: object): Promise<void> {
  const answer = await callApi(service.url, method, path, body, keys[0]);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.text}`);
}

/** Sends the readings of some sensors in batches of any size, each until it is answered, and some of them again. */
class Gateway {
  sent = 0;
  again = 0;
  unknown = 0;
  readonly #chance: Chance;

  constructor(
    readonly key: string,
    readonly streams: readonly ReadingStream[],
    gatewaySeed: number,
  ) {
    this.#chance = new Chance(gatewaySeed);
  }

  async run(): Promise<void> {
    const places = this.streams.map(() => 0);
    let before: StreamedReading[] = [];
    for (;;) {
      const batch = this.streams.flatMap(({ readings }, i) => {
        const from = places[i] ?? 0;
        const to = from + this.#chance.below(1 + Math.floor(BATCH_MAX / this.streams.length));
        places[i] = Math.min(to, readings.length);
        return readings.slice(from, to);
      });
      const isDone = places.every((place, i) => place === this.streams[i]?.readings.length);
      if (batch.length > 0) {
        // Some readings are sent twice.
        const mixed = this.#chance.oneIn(3) ? [...before.slice(0, 20), ...batch] : batch;
        await this.#untilAnswered(mixed);
        this.sent += batch.length;
        if (this.#chance.oneIn(5)) {
          this.again++;
          await this.#untilAnswered(batch);
        }
        before = batch;
      }
      if (isDone) return;
    }
  }

  async #untilAnswered(readings: readonly StreamedReading[]): Promise<void> {
    for (;;) {
      const asked = service;
      const answer = await callApi(
        service.url,
        'POST',
        '/v2/environment/readings',
        { readings },
        this.key,
      ).catch(() => null);
      if (answer?.status === 200) return;
      if (answer && answer.status !== 500) throw new Error(`not an answer to expect: ${answer.text}`);
      this.unknown++;
      await vi.waitFor(() => expect(service !== asked || answer !== null).toBe(true), PATIENCE_MS);
      await service.ready;
    }
  }
}

async function killAndRestart(withDatabase: boolean): Promise<void> {
  const victim = service;
  const postmaster = home.postmasterPid;
  victim.child.kill('SIGKILL');
  if (withDatabase) {
    if (postmaster === null) throw new Error('the database does not run: it cannot be killed');
    process.kill(postmaster, 'SIGKILL');
  }
  expect(await victim.exit).toEqual({ code: null, signal: 'SIGKILL' });
  service = home.start('start', port);
  await service.ready;
}

describe('readings from several gateways while the service and its database are killed', () => {
  it(
    `are all there once, with the alerts and events they must have (${READINGS} readings, ${KILLS} kills, seed ${seed})`,
    async () => {
      const gateways = streams.map((own, c) => new Gateway(keys[c] ?? '', own, seed + 7_000 + c));
      const running = Promise.all(gateways.map((gateway) => gateway.run()));
      const total = streams.flat().reduce((sum, { readings }) => sum + readings.length, 0);
      const sent = () => gateways.reduce((sum, gateway) => sum + gateway.sent, 0);
      for (let kill = 0; kill < KILLS; kill++) {
        const part = ((kill + 0.5) * total) / (KILLS + 0.5);
        await vi.waitFor(() => expect(sent()).toBeGreaterThan(part), { timeout: 600_000, interval: 2 });
        // The database first: a run with a single kill takes it too.
        await killAndRestart(kill % 2 === 0);
      }
      await running;
      const unknown = gateways.reduce((sum, gateway) => sum + gateway.unknown, 0);
      const again = gateways.reduce((sum, gateway) => sum + gateway.again, 0);
      console.log(
        `readings: ${total} sent, ${again} batches twice, ${unknown} outcomes unknown and resolved`,
      );
      expect(unknown, 'no outcome was ever unknown: the run proves nothing').toBeGreaterThan(0);
      expect(await storedReadings(home, streams.flat())).toEqual(expectedOf(streams.flat()));
      expect(await home.cli('audit', 'verify')).toMatchObject({ ok: true });
    },
    sized(240_000, 1_800_000),
  );
});
