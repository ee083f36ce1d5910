import { expect, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.js';
import { newOrganization, sized } from '../harness/index.js';
import { Chance } from './chance.js';
import type { CrashWorld } from './crash-world.js';
import { afterMs } from './pace.js';
import { LIMITS, ReadingStream, type StreamedReading, spanOf } from './reading-stream.js';
import { countStored } from './stored-readings.js';

const ORG = 'cold';
const GATEWAYS = sized(2, 6);
const POINTS_PER_GATEWAY = sized(3, 5);
const READINGS_BY_API = sized(600, 1_000_000);
const BATCH_MAX = sized(30, 800);
const POINTS_OF_DEVICE = sized(3, 10);
const READINGS_BY_MQTT = sized(300, 1_000_000);
const MESSAGE_MAX = sized(20, 400);
const MESSAGE_EVERY_MS = 10;
const AFTER_A_KILL = 5;

/** The part of all readings that may be sent by now, so that some are left for every kill. */
type Share = () => number;

/** Sensors in one cold room: some behind gateways that call the API, the others behind a broker. */
export async function openReadings(world: CrashWorld, seed: number, share: Share) {
  const org = await newOrganization(world, { code: ORG });
  const perPoint = Math.ceil(READINGS_BY_API / GATEWAYS / POINTS_PER_GATEWAY);
  const perTopic = Math.floor(READINGS_BY_MQTT / POINTS_OF_DEVICE);
  const startMs =
    Math.floor(systemClock.now().getTime() / 1000) * 1000 - spanOf(Math.max(perPoint, perTopic));
  const gateways = await Promise.all(
    Array.from({ length: GATEWAYS }, async (_, g) => {
      const streams = Array.from(
        { length: POINTS_PER_GATEWAY },
        (_, p) => new ReadingStream(`GATE-${g}-${p}`, seed + g * 100 + p, startMs, perPoint),
      );
      // One key each, so that the rate limit is not reached.
      return new Gateway(world, (await org.newKey()).apiKey, streams, new Chance(seed + 7_000 + g), share);
    }),
  );
  const published = Array.from(
    { length: POINTS_OF_DEVICE },
    (_, p) => new ReadingStream(`MQTT-${p}`, seed + 9_000 + p, startMs, perTopic),
  );
  const device = new Device(world, published, new Chance(seed));
  await world.must('PUT', '/v2/warehouses/WH-1', { name: 'Main' }, org.key);
  for (const { pointId } of [...gateways.flatMap(({ streams }) => streams), ...published]) {
    const point = { name: pointId, warehouse: 'WH-1', temperature: LIMITS };
    await world.must('PUT', `/v2/environment/points/${pointId}`, point, org.key);
  }
  return { gateways, device };
}

const totalOf = (streams: readonly ReadingStream[]) =>
  streams.reduce((sum, { readings }) => sum + readings.length, 0);

/** Sends the readings of some sensors in batches of any size, each until it is answered, and some of them again. */
class Gateway {
  sent = 0;
  again = 0;
  unknown = 0;
  readonly total: number;

  constructor(
    private readonly world: CrashWorld,
    private readonly key: string,
    readonly streams: readonly ReadingStream[],
    private readonly chance: Chance,
    private readonly share: Share,
  ) {
    this.total = totalOf(streams);
  }

  async run(): Promise<void> {
    const places = this.streams.map(() => 0);
    let before: StreamedReading[] = [];
    while (this.sent < this.total) {
      if (this.sent >= this.total * this.share()) {
        // Until it may go on it repeats itself: there is never a kill without a request.
        await this.#sendAgain(before);
        continue;
      }
      const batch = this.#next(places);
      if (batch.length === 0) continue;
      // Some readings are sent twice.
      await this.#untilAnswered(this.chance.oneIn(3) ? [...before.slice(0, 20), ...batch] : batch);
      this.sent += batch.length;
      if (this.chance.oneIn(5)) await this.#sendAgain(batch);
      before = batch;
    }
  }

  #next(places: number[]): StreamedReading[] {
    return this.streams.flatMap(({ readings }, i) => {
      const from = places[i] ?? 0;
      const to = from + this.chance.below(1 + Math.floor(BATCH_MAX / this.streams.length));
      places[i] = Math.min(to, readings.length);
      return readings.slice(from, to);
    });
  }

  #sendAgain(batch: readonly StreamedReading[]): Promise<void> {
    this.again++;
    return this.#untilAnswered(batch);
  }

  async #untilAnswered(readings: readonly StreamedReading[]): Promise<void> {
    for (;;) {
      const answer = await this.world.send('/v2/environment/readings', { readings }, this.key);
      if (answer?.status === 200) return;
      if (answer) throw new Error(`not an answer to expect: ${answer.text}`);
      this.unknown++;
      await this.world.recovered();
    }
  }
}

/** Publishes readings through the broker. A kill finds some messages on their way, and some come while nobody is there. */
class Device {
  sent = 0;
  /** Kills that came before everything published was stored. */
  unfinished = 0;
  readonly total: number;
  readonly #places = new Map<ReadingStream, number>();

  constructor(
    private readonly world: CrashWorld,
    readonly streams: readonly ReadingStream[],
    private readonly chance: Chance,
  ) {
    this.total = totalOf(streams);
  }

  begin(): Promise<void> {
    return this.world.broker.publish(`lotward/${ORG}/readings`, 'poison');
  }

  #isConnected(): Promise<void> {
    return vi.waitFor(() => expect(this.world.broker.clients()).toHaveLength(1), {
      timeout: 120_000,
      interval: 20,
    });
  }

  /**
   * Publishes up to this part of all, and goes on while `kill` does its work. What was published before is stored by
   * then: a broker may send what it kept and what is new in any order, and what comes late would rightly not alert.
   */
  async publishAround(part: number, kill: () => Promise<void>): Promise<void> {
    await this.isStored();
    while (this.sent < this.total * part && (await this.#publishNext()));
    const { kills } = this.world;
    const [known, killing] = [kills.length, kill()];
    let hasFailed = false;
    killing.catch(() => {
      hasFailed = true;
    });
    while (kills.length === known && !hasFailed) {
      await this.#publishNext();
      await afterMs(MESSAGE_EVERY_MS);
    }
    const before = this.sent;
    for (let n = 0; n < AFTER_A_KILL; n++) await this.#publishNext();
    // Nobody else takes messages before the lease of the one that was killed has ended.
    if ((await countStored(this.world, this.streams)) < before) this.unfinished++;
    await killing;
  }

  async publishRest(): Promise<void> {
    await this.isStored();
    while (await this.#publishNext());
    await this.isStored();
  }

  async isStored(): Promise<void> {
    await this.#isConnected();
    await vi.waitFor(async () => expect(await countStored(this.world, this.streams)).toBe(this.sent), {
      timeout: sized(120_000, 600_000),
      interval: 100,
    });
  }

  /** The next message of one sensor, now and then twice. False: there is nothing left of any. */
  async #publishNext(): Promise<boolean> {
    const left = this.streams.filter((each) => (this.#places.get(each) ?? 0) < each.readings.length);
    const stream = this.chance.of(left);
    if (!stream) return false;
    const from = this.#places.get(stream) ?? 0;
    const readings = stream.readings.slice(from, from + 1 + this.chance.below(MESSAGE_MAX));
    const { broker } = this.world;
    const [topic, payload] = this.chance.oneIn(2)
      ? [`lotward/${ORG}/readings`, { readings }]
      : [
          `lotward/${ORG}/readings/${stream.pointId}`,
          readings.map(({ at, temperature }) => ({ at, temperature })),
        ];
    await broker.publish(topic, payload);
    if (this.chance.oneIn(6)) await broker.publish(topic, payload);
    this.#places.set(stream, from + readings.length);
    this.sent += readings.length;
    return true;
  }
}
