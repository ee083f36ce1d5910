import { type Attack, type FloodOptions, type Ground, type Probe, sayFlood } from './attack.js';

const OBJECTS = 15_000;
const LARGE_BYTES = 400_000;
const ATTACKER_ADDRESS = '127.0.0.2';
const VICTIM_ADDRESS = '127.0.0.3';
const PEOPLE = 5;
const PASSWORD = 'seven quiet lighthouse keepers';

/** Floods until the time is over. */
const flooding =
  (ground: Ground, options: Omit<FloodOptions, 'durationMs'>) => async (durationMs: number) => ({
    did: sayFlood(await ground.flood({ ...options, durationMs })),
  });

const settings: Attack = {
  name: 'settings of 15,000 objects',
  what: '`PATCH /v2/settings` with 15,000 objects, which is refused, on 8 connections without a pause.',
  countedBy: 'platform/http/validation.test.ts',
  async open(ground) {
    const attacker = await ground.newAttacker();
    const keys = await attacker.moreKeys(20);
    const body = JSON.stringify({ expiryWarningDays: Array.from({ length: OBJECTS }, () => ({ a: 1 })) });
    const requests = [{ method: 'PATCH', path: '/v2/settings', body }];
    return { run: flooding(ground, { connections: 8, keys, requests }) };
  },
};

/** People of the victim's organization who sign in from another address, each seldom enough not to wait for themselves. */
async function signingIn({ service, victim }: Ground): Promise<Probe[]> {
  const { code } = victim.organization;
  const emails = Array.from({ length: PEOPLE }, (_, n) => `person-${n}@${code}.example`);
  const known = await service.sql<{ email: string }>('select email from users');
  for (const email of emails.filter((each) => !known.some((user) => user.email === each)))
    await service.cli(
      ...['user', 'create', '--org', code, '--email', email, '--role', 'viewer', '--password', PASSWORD],
    );
  return emails.map((email) => ({
    ...{ name: 'sign-in', group: 'sign-in', perSecond: 0.5, method: 'POST', path: '/v2/session' },
    body: JSON.stringify({ email, password: PASSWORD }),
    from: VICTIM_ADDRESS,
  }));
}

const signInBodies: Attack = {
  name: 'malformed and large sign-in bodies',
  what: '`POST /v2/session` without a credential: half of the bodies are not JSON, half have 400 KB, on 16 connections from one address.',
  countedBy: 'test/http/malformed-requests.test.ts',
  async open(ground) {
    const large = JSON.stringify({ email: 'a@b.example', password: 'x'.repeat(LARGE_BYTES) });
    const bodies = ['{"email":', large];
    const requests = bodies.map((body) => ({ method: 'POST', path: '/v2/session', body }));
    return {
      probes: await signingIn(ground),
      run: flooding(ground, { connections: 16, from: ATTACKER_ADDRESS, requests }),
    };
  },
};

const passwords: Attack = {
  name: 'wrong passwords',
  what: 'Wrong passwords for accounts that do not exist, on 120 connections from one address.',
  countedBy: 'platform/fair-queue/fair-queue.test.ts, platform/http/turns.test.ts',
  async open(ground) {
    const body = JSON.stringify({ email: 'nobody-{n}@victim.example', password: 'not the password at all' });
    const requests = [{ method: 'POST', path: '/v2/session', body }];
    return {
      probes: await signingIn(ground),
      run: flooding(ground, { connections: 120, from: ATTACKER_ADDRESS, requests }),
    };
  },
};

const labels: Attack = {
  name: 'labels',
  what: 'Labels as fast as the rate limit of four keys allows: 150 a second on 8 connections.',
  countedBy: 'labels/labels.test.ts',
  async open(ground) {
    const attacker = await ground.newAttacker();
    const keys = await attacker.moreKeys(4);
    const code = encodeURIComponent('(01)06901234567892(17)281231(10)LOT-{n}').replace('%7Bn%7D', '{n}');
    return {
      run: flooding(ground, {
        connections: 8,
        rate: 150,
        keys,
        requests: [{ path: `/labels/udi.svg?code=${code}` }],
      }),
    };
  },
};

const missing: Attack = {
  name: 'a storm of 404s',
  what: 'Orders and pages that do not exist, asked for with 100 keys on 64 connections without a pause.',
  countedBy: 'platform/http/turns.test.ts',
  async open(ground) {
    const attacker = await ground.newAttacker();
    const keys = await attacker.moreKeys(100);
    const requests = [
      { path: '/v2/orders/ord_missing_{n}' },
      { path: '/v2/products/NONE-{n}' },
      { path: '/nothing/{n}' },
    ];
    return { run: flooding(ground, { connections: 64, keys, requests }) };
  },
};

export const requestAttacks: Attack[] = [settings, signInBodies, passwords, labels, missing];
