import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, openTestService } from '../../test/harness/index.js';
import { sealAllAudits } from './index.js';

interface Entry {
  entryId: string;
  at: string;
  actor: string;
  action: string;
  entityType: string;
  entityId: string;
  position: number | null;
  hash: string | null;
  [field: string]: unknown;
}
interface Page {
  items: Entry[];
  nextCursor: string | null;
}

describe('the audit trail', () => {
  let service: Awaited<ReturnType<typeof openTestService>>;
  let actor: string;
  const list = (query = '', key?: string) => service.call<Page>('GET', `/v2/audit?${query}`, undefined, key);

  beforeAll(async () => {
    service = await openTestService();
    actor = `owner@${service.org.organization.code}.example`;
    for (let i = 1; i <= 4; i++) {
      service.db.clock.set(`2026-12-0${i}T00:00:00.000Z`);
      await service.call('PUT', `/v2/warehouses/A-${i % 2}`, { name: `name ${i}` }, undefined, {
        'x-request-id': `request-${i}`,
      });
    }
    await service.call('PUT', '/v2/partners/A-1', { name: 'x', roles: ['supplier'] });
  });
  afterAll(() => service.close());

  it('shows each write with who, what, when, before and after, at once; its place follows', async () => {
    const bare = { kind: 'own', customerCode: null, gln: null, address: null, zones: [] };
    const { data } = await list('entityType=warehouse&entityId=A-0&limit=1');
    const [entry] = data.items;
    expect(entry).toEqual({
      entryId: expect.stringMatching(/^aud_/),
      at: '2026-12-04T00:00:00.000Z',
      actor,
      credentialId: service.org.keyId,
      requestId: 'request-4',
      action: 'warehouse.put',
      entityType: 'warehouse',
      entityId: 'A-0',
      reason: null,
      before: { code: 'A-0', name: 'name 2', ...bare, updatedAt: '2026-12-02T00:00:00.000Z' },
      after: { code: 'A-0', name: 'name 4', ...bare, updatedAt: '2026-12-04T00:00:00.000Z' },
      position: null,
      hash: null,
    });
    await sealAllAudits(service.db.database);
    const [sealed] = (await list('entityType=warehouse&entityId=A-0&limit=1')).data.items;
    expect(sealed).toEqual({
      ...entry,
      position: expect.any(Number),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  it('shows the head of the chain, which moves with every sealing', async () => {
    const head = async () =>
      (await service.call<{ position: number; hash: string; sealedAt: string }>('GET', '/v2/audit/head'))
        .data;
    await sealAllAudits(service.db.database);
    const before = await head();
    const { items } = (await list('limit=200')).data;
    const newest = items.reduce((a, b) => ((a.position ?? 0) > (b.position ?? 0) ? a : b));
    expect(before).toEqual({
      position: newest.position,
      hash: newest.hash,
      sealedAt: '2026-12-04T00:00:00.000Z',
    });
    await service.call('PUT', '/v2/warehouses/HEAD', { name: 'x' });
    await sealAllAudits(service.db.database);
    expect((await head()).position).toBe(before.position + 1);
  });

  it('has no head before anything was sealed', async () => {
    const { organization, key } = await newOrganization(service.db);
    const { data } = await service.call('GET', '/v2/audit/head', undefined, key);
    expect(data).toEqual({ position: 0, hash: '0'.repeat(64), sealedAt: null });
    expect(organization.status).toBe('active');
  });

  it.each([
    ['entityType=warehouse&entityId=A-1', ['name 3', 'name 1']],
    ['entityId=A-1', ['x', 'name 3', 'name 1']],
    ['entityId=A-1&action=partner.put', ['x']],
    ['entityType=warehouse&since=2026-12-02T00:00:00Z&until=2026-12-04T00:00:00Z', ['name 3', 'name 2']],
    ['entityType=warehouse&entityId=A-1&actor=nobody@test.example', []],
  ])('is found by %s, newest first', async (query, names) => {
    const { data } = await list(query);
    expect(data.items.map((item) => (item.after as { name: string }).name).sort()).toEqual([...names].sort());
    expect(data.items.map((item) => item.at)).toEqual(
      data.items
        .map((item) => item.at)
        .sort()
        .reverse(),
    );
  });

  it('pages without skipping or repeating while it grows', async () => {
    const all = (await list('limit=200')).data.items.map((item) => item.entryId);
    const seen: string[] = [];
    let cursor: string | null = null;
    let turn = 0;
    do {
      const page: Page = (await list(`limit=4${cursor === null ? '' : `&cursor=${cursor}`}`)).data;
      seen.push(...page.items.map((item) => item.entryId));
      cursor = page.nextCursor;
      service.db.clock.advance(1_000);
      await service.call('PUT', '/v2/warehouses/GROWING', { name: `turn ${turn++}` });
    } while (cursor !== null);
    expect(seen).toEqual(all);
  });

  it('is one organization’s own, and open only to a key with audit:read', async () => {
    const other = await newOrganization(service.db);
    const theirs = (await list('limit=200', other.key)).data.items;
    expect(theirs.every((item) => item.entityType !== 'warehouse')).toBe(true);
    const { apiKey } = await other.newKey({ scopes: ['products:read', 'settings:read'] });
    for (const path of ['/v2/audit', '/v2/audit/head'])
      expect((await service.call('GET', path, undefined, apiKey)).code).toBe(1003);
  });

  it('refuses conditions it cannot read', async () => {
    for (const [query, reason] of [
      ['since=now', 'bad_format'],
      ['limit=0', 'out_of_range'],
      ['cursor=%%', 'bad_cursor'],
      ['user=me', 'unknown_parameter'],
    ] as const) {
      const answer = await list(query.replace('%%', 'zzz'));
      expect([query, answer.status, answer.reason]).toEqual([query, 400, reason]);
    }
  });
});
