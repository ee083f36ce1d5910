import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newOrganization, openTestDatabase, type TestDatabase } from '../../test/harness/index.js';
import { keyResolver } from '../credentials/index.js';
import { newKeyId, newKeyPair } from '../credentials/key-token.js';
import { Unavailable } from '../platform/errors/index.js';
import { type CredentialCache, openCredentialCache } from './credential-cache.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const opened: CredentialCache[] = [];
afterEach(() => {
  for (const credentials of opened.splice(0)) credentials.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A cache whose two clocks stand still: one decides when entries expire, the other when they are renewed. */
function open() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  let ms = 0;
  const credentials = openCredentialCache([keyResolver(db.database.reader, db.clock)], db.clock, () => ms);
  opened.push(credentials);
  const asked = vi.spyOn(db.database.reader, 'query');
  return {
    credentials,
    asked,
    pass: (by: number) => {
      ms += by;
    },
    async renew() {
      vi.advanceTimersByTime(350);
      // A query begins at the end of the event-loop turn that requests it.
      await new Promise(setImmediate);
      await Promise.all(asked.mock.results.map(({ value }) => value));
      await new Promise(setImmediate);
    },
  };
}

describe('a token is asked for in the database', () => {
  it('never when it was mistyped: no character can be wrong, missing or added', async () => {
    const { credentials, asked } = open();
    const { key } = await newOrganization(db);
    asked.mockClear();
    const mistyped = [
      ...[...key].map((_, i) => key.slice(0, i) + key.slice(i + 1)),
      ...[...key].map((letter, i) => key.slice(0, i) + (letter === 'x' ? 'y' : 'x') + key.slice(i + 1)),
      ...[...key].slice(1).map((_, i) => `${key.slice(0, i)}${key[i + 1]}${key[i]}${key.slice(i + 2)}`),
      `${key}0`,
      ` ${key}`,
      key.toLowerCase(),
      '',
    ].filter((token) => token !== key);
    expect(mistyped.length).toBeGreaterThan(150);
    for (const token of mistyped) expect(credentials.resolve(token), token).toBeNull();
    expect(asked).not.toHaveBeenCalled();
  });

  it('not again for 800 ms, then before anything else', async () => {
    const { credentials, pass, asked } = open();
    const { key, keyId } = await newOrganization(db);
    asked.mockClear();
    expect(await credentials.resolve(key)).toMatchObject({ id: keyId });
    const once = asked.mock.calls.length;
    pass(800);
    expect(credentials.resolve(key), 'at once').toMatchObject({ id: keyId });
    expect(asked).toHaveBeenCalledTimes(once);
    pass(1);
    const later = credentials.resolve(key);
    expect(later).toBeInstanceOf(Promise);
    await later;
    expect(asked.mock.calls.length).toBeGreaterThan(once);
  });

  it('together with the others that came meanwhile', async () => {
    const { credentials, asked } = open();
    const { newKey } = await newOrganization(db);
    const tokens = await Promise.all(Array.from({ length: 40 }, async () => (await newKey()).apiKey));
    asked.mockClear();
    const found = await Promise.all(tokens.map((token) => credentials.resolve(token)));
    expect(found.every((credential) => credential !== null)).toBe(true);
    expect(asked.mock.calls.length).toBeLessThanOrEqual(6);
  });

  it('in the background while it is in use, so that its requests do not wait', async () => {
    const { credentials, pass, asked, renew } = open();
    const { key, keyId } = await newOrganization(db);
    await credentials.resolve(key);
    for (let i = 0; i < 5; i++) {
      pass(700);
      asked.mockClear();
      await renew();
      expect(asked).toHaveBeenCalledTimes(1);
      expect(credentials.resolve(key), 'at once').toMatchObject({ id: keyId });
    }
  });

  it('no more when it is not in use', async () => {
    const { credentials, asked, renew } = open();
    const { key } = await newOrganization(db);
    await credentials.resolve(key);
    await renew();
    await renew();
    asked.mockClear();
    await renew();
    expect(asked).not.toHaveBeenCalled();
    expect(credentials.resolve(key)).toBeInstanceOf(Promise);
  });
});

describe('without the database', () => {
  it('nobody is let in from what was known before', async () => {
    const { credentials, pass, asked } = open();
    const { key } = await newOrganization(db);
    expect(await credentials.resolve(key)).not.toBeNull();
    asked.mockRejectedValue(new Unavailable('database_unavailable', new Error('away')));
    pass(801);
    await expect(credentials.resolve(key)).rejects.toBeInstanceOf(Unavailable);
    asked.mockRestore();
    expect(await credentials.resolve(key), 'and it comes back by itself').not.toBeNull();
  });

  it('an unknown key is an outage, not a refusal', async () => {
    const { credentials, asked } = open();
    asked.mockRejectedValue(new Unavailable('database_unavailable', new Error('away')));
    await expect(credentials.resolve(newKeyPair(newKeyId()).apiKey)).rejects.toBeInstanceOf(Unavailable);
  });
});

it('a key is found however many others were used before it', async () => {
  const { credentials, pass } = open();
  const { organization, key } = await newOrganization(db);
  expect(await credentials.resolve(key)).not.toBeNull();
  // As many new keys as the cache holds, in the same queries as the known one.
  const others = Array.from({ length: 20_000 }, () => newKeyPair(newKeyId()));
  await db.sql('insert into api_key_directory (key_id, org_id) select unnest($1::text[]), $2', [
    others.map(({ keyId }) => keyId),
    organization.orgId,
  ]);
  pass(801);
  const crowd = others.map(({ apiKey }) => credentials.resolve(apiKey));
  const found = credentials.resolve(key);
  await Promise.all(crowd);
  expect(await found).not.toBeNull();
});
