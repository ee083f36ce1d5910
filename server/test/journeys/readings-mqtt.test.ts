import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock/index.js';
import { freePort } from '../../src/platform/embedded-postgres/index.js';
import { openBroker, type TestBroker } from '../harness/broker.js';
import { callApi, sized } from '../harness/index.js';
import { Chance } from './chance.js';
import { LIMITS, ReadingStream, spanOf } from './reading-stream.js';
import { Installation, type RunningCommand } from './service-process.js';
import { countStored, expectedOf, storedReadings } from './stored-readings.js';

const READINGS = sized(4_000, 1_000_000);
const KILLS = sized(1, 10);
const POINTS = 10;
const MESSAGE_MAX = sized(40, 400);
const seed = Number(process.env.LOTWARD_TEST_SEED ?? randomInt(2 ** 31));
const chance = new Chance(seed);

let home: Installation;
let broker: TestBroker;
let port: number;
let service: RunningCommand;
let streams: ReadingStream[];

const start = () => home.start('start', port, { MQTT_URL: broker.url });

beforeAll(async () => {
  home = await new Installation().prepare();
  broker = await openBroker();
  port = await freePort();
  service = start();
  await service.ready;
  const key = { scopes: ['products:write', 'environment:write'] as const, owner: 'cold@test.example' };
  const [apiKey = ''] = await home.addOrganization('cold', [key]);
  const perPoint = Math.floor(READINGS / POINTS);
  const startMs = Math.floor(systemClock.now().getTime() / 1000) * 1000 - spanOf(perPoint);
  streams = Array.from(
    { length: POINTS },
    (_, p) => new ReadingStream(`SENSOR-${p}`, seed + p, startMs, perPoint),
  );
  const must = async (path: string, body: object) => {
    const answer = await callApi(service.url, 'PUT', path, body, apiKey);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
  };
  await must('/v2/warehouses/WH-1', { name: 'Main' });
  for (const { pointId } of streams)
    await must(`/v2/environment/points/${pointId}`, {
      name: pointId,
      warehouse: 'WH-1',
      temperature: LIMITS,
    });
});
afterAll(async () => {
  await home?.remove();
  await broker?.close();
});

const isConnected = () =>
  vi.waitFor(() => expect(broker.clients()).toHaveLength(1), { timeout: 60_000, interval: 20 });

let sent = 0;
const places = new Map<ReadingStream, number>();

/** The next message of one sensor, now and then twice. False: there is nothing left of any. */
async function publishNext(): Promise<boolean> {
  const left = streams.filter((each) => (places.get(each) ?? 0) < each.readings.length);
  const stream = chance.of(left);
  if (!stream) return false;
  const from = places.get(stream) ?? 0;
  const readings = stream.readings.slice(from, from + 1 + chance.below(MESSAGE_MAX));
  const { pointId } = stream;
  const [topic, payload] = chance.oneIn(2)
    ? ['lotward/cold/readings', { readings }]
    : [`lotward/cold/readings/${pointId}`, readings.map(({ at, temperature }) => ({ at, temperature }))];
  await broker.publish(topic, payload);
  if (chance.oneIn(6)) await broker.publish(topic, payload);
  places.set(stream, from + readings.length);
  sent += readings.length;
  return true;
}

/** Dies with messages on their way, some more come while nobody is there; then it takes up where it was. */
async function killAndRestart(): Promise<void> {
  for (let n = 0; n < 20; n++) await publishNext();
  const stored = await countStored(home);
  service.child.kill('SIGKILL');
  expect(await service.exit).toEqual({ code: null, signal: 'SIGKILL' });
  if (stored < sent) unfinished++;
  for (let n = 0; n < 5; n++) await publishNext();
  service = start();
  await service.ready;
  await isConnected();
  // A broker may send what it kept and what is new in any order: what comes late would rightly not alert.
  await vi.waitFor(async () => expect(await countStored(home)).toBe(sent), {
    timeout: 120_000,
    interval: 50,
  });
}
let unfinished = 0;

describe('readings through a broker while the service is killed', () => {
  it(
    `are all there once, with the alerts and events they must have (${READINGS} readings, ${KILLS} kills, seed ${seed})`,
    async () => {
      await isConnected();
      await broker.publish('lotward/cold/readings', 'poison');
      for (let kill = 0; kill < KILLS; kill++) {
        while (sent < ((kill + 0.5) * READINGS) / (KILLS + 0.5)) await publishNext();
        await killAndRestart();
      }
      while (await publishNext()) {}
      await vi.waitFor(async () => expect(await countStored(home)).toBe(sent), {
        timeout: sized(60_000, 600_000),
        interval: 100,
      });
      console.log(`readings by MQTT: ${sent} sent, ${unfinished} of ${KILLS} kills with some on their way`);
      expect(unfinished, 'nothing was ever on its way: the run proves nothing').toBeGreaterThan(0);
      expect(await storedReadings(home, streams)).toEqual(expectedOf(streams));
    },
    sized(240_000, 3_600_000),
  );
});
