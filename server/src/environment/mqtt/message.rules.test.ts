import { describe, expect, it } from 'vitest';
import { placeOf, readingsIn } from './message.rules.js';

describe('a topic', () => {
  it.each([
    ['lotward/acme/readings', { organization: 'acme', pointId: null }],
    ['lotward/acme/readings/FRIDGE-1', { organization: 'acme', pointId: 'FRIDGE-1' }],
    ['other/acme/readings', null],
    ['lotward//readings', null],
    ['lotward/acme/alerts', null],
    ['lotward/acme/readings/', null],
    ['lotward/acme/readings/FRIDGE-1/raw', null],
    ['lotward/acme', null],
  ])('%s names the organization and the point, or nothing', (topic, place) => {
    expect(placeOf(topic)).toEqual(place);
  });
});

describe('a payload', () => {
  const anywhere = { organization: 'acme', pointId: null };
  const fridge = { organization: 'acme', pointId: 'FRIDGE-1' };
  const reading = { at: '2026-11-15T10:00:00Z', temperature: 4.2 };
  const read = (content: unknown, place: typeof anywhere | typeof fridge = anywhere) =>
    readingsIn(JSON.stringify(content), place);

  it('is one reading, an array of them, or a body of the API', () => {
    for (const content of [reading, [reading], { readings: [reading] }])
      expect(read(content)).toEqual([reading]);
  });

  it.each([['{'], ['5'], ['"text"'], ['null'], ['[]'], ['{"readings":[]}'], ['{"readings":5}']])(
    '%s holds no readings',
    (payload) => {
      expect(readingsIn(payload, anywhere)).toBe(null);
    },
  );

  it('holds at most as many readings as a request', () => {
    expect(read(Array.from({ length: 10_000 }, () => reading))).toHaveLength(10_000);
    expect(read(Array.from({ length: 10_001 }, () => reading))).toBe(null);
  });

  it('of a topic with a point has its readings from there, and none that names another point', () => {
    const there = { ...reading, pointId: 'FRIDGE-1' };
    expect(read([reading, there, { ...reading, pointId: 'FRIDGE-2' }, 5, null], fridge)).toEqual([
      there,
      there,
      null,
      5,
      null,
    ]);
  });
});
