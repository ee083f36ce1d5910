import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Documents, documentsOf } from '../access/documents.js';
import { newClient } from '../access/oauth-world.js';
import { toLoopback } from '../access/pushes.js';
import { GTIN, newPerson, newSession, openTestService, type TestSession } from '../harness/index.js';

type Item = Record<string, string>;
interface Page {
  items: Item[];
  nextCursor: string | null;
}

let service: Awaited<ReturnType<typeof openTestService>>;
let documents: Documents;
let admin: TestSession;
let made = 0;

beforeAll(async () => {
  service = await openTestService({ webhooks: toLoopback });
  const stock = { productCode: GTIN, warehouse: 'WH-1', batchNo: 'LOT-1', expiryDate: '2030-01-01' };
  await must('POST', '/v2/stock/adjustments', { ...stock, quantityDelta: 1_000, reason: 'opening' });
  await must('PUT', '/v2/partners/HOSP-2', { name: 'Hospital', roles: ['customer'] });
  const pushes = { customerCode: 'HOSP-2', callbackUrl: 'http://127.0.0.1:9/hooks' };
  documents = await documentsOf(service.api, service.org, 'LIST', pushes);
  admin = await newSession(service.db, service.org.organization.orgId);
});
afterAll(() => service.close());

async function must<D>(method: string, path: string, body?: object): Promise<D> {
  const answer = await service.call<D>(method, path, body);
  expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
  return answer.data;
}
async function atConsole(method: string, path: string, body?: object): Promise<void> {
  const answer = await service.api.call(method, path, body, undefined, admin.headers);
  expect(answer.status, answer.text).toBe(200);
}
/** Creates a record under a code of its own. */
const put = (path: string, body: object) => async () => {
  const code = `L-${++made}`;
  await must('PUT', `${path}/${code}`, body);
  return code;
};
const post = (path: string, body: object) => (id: string) => must('POST', path.replace('{id}', id), body);
const replace = (path: string, body: object) => (code: string) => must('PUT', `${path}/${code}`, body);
const reason = { reason: 'changed' };
const point = { name: 'Cold room', warehouse: 'WH-1', temperature: { min: 2, max: 8 } };

interface List {
  path: string;
  id: string;
  make: () => Promise<string>;
  change: (id: string) => Promise<unknown>;
}

/** Every list of things that change, with a change that each item can take once. */
const lists: List[] = [
  {
    path: '/v2/products',
    id: 'productCode',
    make: put('/v2/products', { productName: 'Glove' }),
    change: replace('/v2/products', { productName: 'Other' }),
  },
  {
    path: '/v2/partners',
    id: 'code',
    make: put('/v2/partners', { name: 'Partner', roles: ['customer'] }),
    change: replace('/v2/partners', { name: 'Other', roles: ['customer'] }),
  },
  {
    path: '/v2/warehouses',
    id: 'code',
    make: put('/v2/warehouses', { name: 'Warehouse' }),
    change: replace('/v2/warehouses', { name: 'Other' }),
  },
  {
    path: '/v2/orders',
    id: 'orderId',
    make: () => documents.order('pending'),
    change: post('/v2/orders/{id}/hold', {}),
  },
  {
    path: '/v2/receipts',
    id: 'receiptId',
    make: () => documents.receipt(),
    change: post('/v2/receipts/{id}/cancel', reason),
  },
  {
    path: '/v2/dispatches',
    id: 'dispatchId',
    make: () => documents.dispatch('picking'),
    change: post('/v2/dispatches/{id}/cancel', reason),
  },
  {
    path: '/v2/recalls',
    id: 'recallId',
    make: () => documents.recall(),
    change: post('/v2/recalls/{id}/acknowledgements', { customerCode: 'HOSP-1' }),
  },
  {
    path: '/v2/certificates',
    id: 'certificateId',
    make: () => documents.certificate('active'),
    change: post('/v2/certificates/{id}/suspend', reason),
  },
  {
    path: '/v2/stock/holds',
    id: 'holdId',
    make: () => documents.hold(),
    change: post('/v2/stock/holds/{id}/release', reason),
  },
  {
    path: '/v2/imports',
    id: 'importId',
    make: async () => {
      const content = 'productCode,productName\nIMPORTED,Imported\n';
      const file = { kind: 'products', format: 'csv', content };
      return (await must<{ importId: string }>('POST', '/v2/imports', file)).importId;
    },
    change: post('/v2/imports/{id}/cancel', {}),
  },
  {
    path: '/v2/quality/nonconformities',
    id: 'ncId',
    make: () => documents.entry(),
    change: (ncId) => must('POST', '/v2/quality/dispositions', { kind: 'destroy', ncIds: [ncId], ...reason }),
  },
  {
    path: '/v2/quality/dispositions',
    id: 'dispositionId',
    make: () => documents.disposition('proposed'),
    change: post('/v2/quality/dispositions/{id}/reject', reason),
  },
  {
    path: '/v2/environment/points',
    id: 'pointId',
    make: put('/v2/environment/points', point),
    change: replace('/v2/environment/points', { ...point, status: 'retired' }),
  },
  {
    path: '/v2/environment/alerts',
    id: 'alertId',
    make: () => documents.alert(),
    change: post('/v2/environment/alerts/{id}/acknowledge', { comment: 'door' }),
  },
  {
    path: '/v2/webhooks',
    id: 'webhookId',
    make: () => documents.webhook(),
    change: (id) => must('PATCH', `/v2/webhooks/${id}`, { status: 'disabled' }),
  },
  {
    path: '/v2/settings/keys',
    id: 'keyId',
    make: async () => (await service.org.newKey()).keyId,
    change: (id) => atConsole('PATCH', `/v2/settings/keys/${id}`, { name: 'other' }),
  },
  {
    path: '/v2/settings/clients',
    id: 'clientId',
    make: async () => (await newClient(service.db, service.org)).clientId,
    change: (id) => atConsole('PATCH', `/v2/settings/clients/${id}`, { redirectUris: [] }),
  },
  {
    path: '/v2/sandboxes',
    id: 'sandboxId',
    make: async () =>
      (await must<{ sandboxId: string }>('POST', '/v2/sandboxes', { name: 'x', data: 'empty' })).sandboxId,
    change: (id) => must('DELETE', `/v2/sandboxes/${id}`),
  },
  {
    path: '/v2/settings/users',
    id: 'userId',
    make: async () => (await newPerson(service.db, service.org.organization.orgId, 'viewer')).userId,
    change: (id) => atConsole('PATCH', `/v2/settings/users/${id}`, { role: 'sales' }),
  },
];

const later = (): string => {
  service.db.clock.advance(1_000);
  return service.db.clock.now().toISOString();
};
const read = (path: string, query: Record<string, string>) =>
  must<Page>('GET', `${path}?${new URLSearchParams(query)}`);

describe.each(lists)('$path', ({ path, id, make, change }) => {
  let since: string;
  let items: [string, string, string];
  const idsOf = async (query: Record<string, string>) =>
    (await read(path, { limit: '200', ...query })).items.map((item) => item[id]);

  beforeAll(async () => {
    since = later();
    const fresh = async () => {
      later();
      return make();
    };
    items = [await fresh(), await fresh(), await fresh()];
  });

  it('by the last change has the oldest first, and shows when each changed', async () => {
    const [a, b, c] = items;
    const sorted = { updatedSince: since, sort: 'updatedAt' };
    expect(await idsOf(sorted)).toEqual([a, b, c]);
    const changedAt = later();
    await change(a);
    expect(await idsOf(sorted)).toEqual([b, c, a]);
    expect((await read(path, { updatedSince: changedAt })).items).toMatchObject([
      { [id]: a, updatedAt: changedAt },
    ]);
    expect(await idsOf({ updatedSince: later() })).toEqual([]);
    expect(new Set(await idsOf({ updatedSince: since }))).toEqual(new Set(items));
    const all = (await read(path, { sort: 'updatedAt', limit: '200' })).items.map((item) => item.updatedAt);
    expect(all).toEqual([...all].sort());
    expect(all.length).toBeGreaterThanOrEqual(3);
  });

  it('by the last change shows again, on a later page, what changes meanwhile', async () => {
    const [a, b, c] = items;
    const query = { updatedSince: since, sort: 'updatedAt', limit: '1' };
    const seen: (string | undefined)[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await read(path, { ...query, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.items.map((item) => item[id]));
      if (cursor === null) {
        later();
        await change(b);
      }
      cursor = page.nextCursor;
    } while (cursor !== null && seen.length < 10);
    expect(seen).toEqual([b, c, a, b]);
  });

  it('takes the cursors of each order there only, and no other order', async () => {
    const refused = async (query: Record<string, string>) => {
      const answer = await service.call('GET', `${path}?${new URLSearchParams(query)}`);
      return [answer.status, answer.json.errors[0]?.path, answer.reason];
    };
    const { nextCursor: usual } = await read(path, { limit: '1' });
    const { nextCursor: byChange } = await read(path, { limit: '1', sort: 'updatedAt' });
    const badCursor = [400, 'cursor', 'bad_cursor'];
    expect(await refused({ cursor: usual ?? '', sort: 'updatedAt' })).toEqual(badCursor);
    expect(await refused({ cursor: byChange ?? '' })).toEqual(badCursor);
    const [list, , last] = JSON.parse(Buffer.from(byChange ?? '', 'base64url').toString()) as string[];
    const altered = Buffer.from(JSON.stringify([list, 'yesterday', last])).toString('base64url');
    expect(await refused({ cursor: altered, sort: 'updatedAt' })).toEqual(badCursor);
    expect(await refused({ sort: 'colour' })).toEqual([400, 'sort', 'not_allowed']);
    expect(await refused({ updatedSince: 'yesterday' })).toEqual([400, 'updatedSince', 'bad_format']);
  });

  it('by the last change skips and repeats nothing of what changed in one instant', async () => {
    const updatedSince = later();
    const made = [await make(), await make(), await make()];
    const query = { updatedSince, sort: 'updatedAt', limit: '1' };
    const seen: (string | undefined)[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await read(path, { ...query, ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.items.map((item) => item[id]));
      cursor = page.nextCursor;
    } while (cursor !== null && seen.length < 10);
    expect(seen).toEqual([...made].sort());
  });
});
