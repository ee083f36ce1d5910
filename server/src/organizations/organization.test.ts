import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  newOrganization,
  newSession,
  openTestService,
  runCommand,
  type TestOrganization,
} from '../../test/harness/index.js';

interface Settings {
  code: string;
  name: string;
  edition: string;
  timeZone: string;
  samePersonRecheck: boolean;
  certificateGate: string;
  demandedCertificates: { subjectType: string; type: string }[];
}

let service: Awaited<ReturnType<typeof openTestService>>;
let org: TestOrganization;
beforeAll(async () => {
  service = await openTestService({ alone: true });
});
beforeEach(async () => {
  org = await newOrganization(service.db);
});
afterAll(async () => {
  await service.close();
});

const read = async () => (await service.call<Settings>('GET', '/v2/settings', undefined, org.key)).data;
const patch = (body: object) => service.call<Settings>('PATCH', '/v2/settings', body, org.key);
const patchAtConsole = async (body: object) => {
  const { headers } = await newSession(service.db, org.organization.orgId);
  return service.api.call<Settings>('PATCH', '/v2/settings', body, undefined, headers);
};
const licences = [
  { subjectType: 'supplier', type: 'licence' },
  { subjectType: 'product', type: 'registration' },
];

describe('settings', () => {
  it('show every setting, as it is when nobody has changed any', async () => {
    const { code, name } = org.organization;
    expect(await read()).toEqual({
      code,
      name,
      edition: 'standard',
      timeZone: 'UTC',
      samePersonRecheck: false,
      certificateGate: 'refuse',
      demandedCertificates: [],
      booksFrom: '2025-11-15',
    });
  });

  it('change where something is said and stay where nothing is; code and edition are not changed', async () => {
    const before = await read();
    const change = { timeZone: 'Asia/Shanghai', certificateGate: 'warn' };
    const { status, data } = await patch(change);
    expect([status, data]).toEqual([200, { ...before, ...change }]);
    const rest = { name: 'New name', samePersonRecheck: true, demandedCertificates: licences };
    expect((await patchAtConsole(rest)).data).toEqual({ ...before, ...change, ...rest });
    const ignored = { ...(await read()), code: 'other', edition: 'ordinary' };
    expect((await patch(ignored)).data).toEqual({ ...before, ...change, ...rest });
    expect(await read()).toEqual({ ...before, ...change, ...rest });
    expect((await patch({ demandedCertificates: [] })).data.demandedCertificates).toEqual([]);
  });

  it('write an audit entry with the values before and after, and the actor', async () => {
    await patch({ certificateGate: 'warn' });
    const entries = await service.db.sql<{ actor: string; before: Settings; after: Settings }>(
      "select actor, before, after from audit_entries where org_id = $1 and action = 'organization.update'",
      [org.organization.orgId],
    );
    expect(entries).toMatchObject([
      {
        actor: `owner@${org.organization.code}.example`,
        before: { certificateGate: 'refuse' },
        after: { certificateGate: 'warn' },
      },
    ]);
  });

  it.each([
    [{ timeZone: 'Mars/Olympus' }, 'unknown_time_zone', '/timeZone'],
    [{ certificateGate: 'open' }, 'not_allowed', '/certificateGate'],
    [
      { demandedCertificates: [{ subjectType: 'warehouse', type: 'x' }] },
      'not_allowed',
      '/demandedCertificates/0/subjectType',
    ],
    [{ demandedCertificates: [licences[0], licences[0]] }, 'duplicate_item', '/demandedCertificates'],
    [{ demandedCertificates: [{ subjectType: 'product' }] }, 'required', '/demandedCertificates/0/type'],
    [{ samePersonRecheck: 'yes' }, 'wrong_type', '/samePersonRecheck'],
    [{ status: 'suspended' }, 'unknown_field', '/status'],
    [{ name: '' }, 'bad_length', '/name'],
  ])('refuse %j', async (body, reason, path) => {
    const before = await read();
    const answer = await patch(body);
    expect([answer.status, answer.reason, answer.json.errors[0]?.path]).toEqual([400, reason, path]);
    expect(await read()).toEqual(before);
  });

  it('of an organization are its own', async () => {
    const other = await newOrganization(service.db);
    await patch({ name: 'Ours', certificateGate: 'warn' });
    const { data } = await service.call<Settings>('GET', '/v2/settings', undefined, other.key);
    expect(data).toMatchObject({ code: other.organization.code, certificateGate: 'refuse' });
  });

  it('move the day: what is expired here is not yet there', async () => {
    service.db.clock.set('2026-11-15T20:00:00.000Z');
    await service.call('PUT', '/v2/partners/S', { name: 'S', roles: ['supplier'] }, org.key);
    const licence = {
      certificateNo: 'L',
      type: 'licence',
      subjectType: 'supplier',
      subjectCode: 'S',
      issuer: 'x',
    };
    const dates = { validFrom: '2026-01-01', validTo: '2026-11-15' };
    await service.call('POST', '/v2/certificates', { ...licence, ...dates }, org.key);
    await patch({ timeZone: 'Asia/Shanghai' });
    // The principal of the first key is still cached; a new key is resolved anew.
    const { apiKey } = await org.newKey();
    const { data } = await service.call<{ items: { status: string }[] }>(
      'GET',
      '/v2/certificates',
      undefined,
      apiKey,
    );
    expect(data.items.map((item) => item.status)).toEqual(['expired']);
  });
});

describe('lotward org update', () => {
  const update = (...options: string[]) =>
    runCommand(service.db, 'org', 'update', '--code', org.organization.code, '--json', ...options);

  it('sets the gate, and what is demanded; nothing clears it', async () => {
    const demands = 'supplier:licence, product:registration,supplier:licence';
    const { out } = await update('--certificate-gate', 'warn', '--demand-certificates', demands);
    expect(JSON.parse(out)).toMatchObject({ certificateGate: 'warn', demandedCertificates: licences });
    expect(await read()).toMatchObject({ certificateGate: 'warn', demandedCertificates: licences });
    await update('--demand-certificates', '');
    expect(await read()).toMatchObject({ certificateGate: 'warn', demandedCertificates: [] });
  });

  it.each([
    ['--certificate-gate', 'open'],
    ['--demand-certificates', 'licence'],
    ['--demand-certificates', 'warehouse:licence'],
    ['--demand-certificates', 'supplier:'],
  ])('refuses %s %s', async (option, value) => {
    const before = await read();
    const { out, err } = await update(option, value);
    expect(out).toBe('');
    expect(err).toContain(option);
    expect(await read()).toEqual(before);
  });
});
