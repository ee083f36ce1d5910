import { afterAll, beforeAll, describe, expect } from 'vitest';
import { inviteUser } from '../../server/src/people/index.js';
import { transact } from '../../server/src/platform/database/index.js';
import { systemPrincipal } from '../../server/src/platform/principal.js';
import { openMailbox, tokenIn } from '../../server/test/access/people.js';
import { fullTier } from '../../server/test/harness/index.js';
import { allPages } from '../src/features/index.js';
import { furnishDemo } from './harness/furnish.js';
import { hasBrowser, inBrowser, type Visit } from './harness/index.js';
import { inspect, TURNS } from './harness/look-at-pages.js';

const PAGE_MS = 60_000;
const CONSOLE = 'https://lotward.example';
const INVITED = 'new@acme.example';

/** One page of each kind that axe finds most in. The others are searched for what is cheap to find, and by axe in the full tier. */
const KINDS = [
  '/', // counts, heat map
  '/orders', // list
  '/orders/new', // lines of a document, pickers, scanning
  '/dispatches/$dispatchId', // record, picking and re-check
  '/environment/points/$pointId', // chart
  '/settings/organization', // form
];

/** Looks different for each of its records; of the others one is looked at. */
const MANIFOLD = ['/dispatches/$dispatchId', '/trace'];

/** Pages of the same look one after the other: to change it redraws everything. */
const byTurns = TURNS.flatMap((looks, turn) =>
  allPages.filter((_, n) => n % TURNS.length === turn).map(({ path }) => ({ path, looks })),
);

let furnished: Awaited<ReturnType<typeof furnishDemo>>;
let visit: Visit;
beforeAll(async () => {
  if (!hasBrowser) return;
  furnished = await furnishDemo();
  visit = await furnished.world.enter('admin', { language: 'zh-CN' }, furnished.orgId);
});
afterAll(() => furnished?.world.close());

describe('without barriers, untranslated words or anything beyond the screen', () => {
  for (const { path, looks } of byTurns)
    inBrowser(path, PAGE_MS, async () => {
      const all = furnished.addresses[path] ?? [];
      expect(all, 'an address to look at').not.toEqual([]);
      const addresses = fullTier || MANIFOLD.includes(path) ? all : all.slice(0, 1);
      for (const [n, address] of addresses.entries()) {
        await (fullTier ? visit.load(address) : visit.go(address));
        await inspect(visit, address, looks, n === 0 && KINDS.includes(path) ? 'all' : 'none');
      }
    });

  inBrowser('nothing went wrong on any of them', PAGE_MS, async () => {
    expect(allPages.map(({ path }) => path)).toEqual(expect.arrayContaining(KINDS));
    visit.expects(/^404 GET \/v2\/products\/|^404 GET \/v2\/udi/);
    await visit.leave();
  });

  inBrowser('signing in, an invitation, a new password', PAGE_MS, async () => {
    const { world } = furnished;
    const visit = await world.arrive({ language: 'zh-CN' });
    const mailbox = await openMailbox(world.db);
    const principal = systemPrincipal(world.orgId, 'operator@test.example');
    const mailing = { box: world.db.box, url: () => CONSOLE };
    await transact(world.db.database, principal, (tx) =>
      inviteUser(tx, { email: INVITED, role: 'viewer' }, mailing),
    );
    const mail = (await mailbox.fetch()).find(({ to }) => to.includes(INVITED));
    await mailbox.close();
    const paths = [
      '/',
      '/password-reset',
      '/second-factor-reset',
      '/invitation',
      `/invitation#${tokenIn(mail?.text ?? '')}`,
    ];
    for (const [turn, path] of paths.entries()) {
      const looks = TURNS[turn % TURNS.length] as (typeof TURNS)[number];
      await visit.page.goto('about:blank');
      await visit.go(path);
      await inspect(
        visit,
        path === '/' ? '/sign-in' : path.replace(/#.*/, '/invited'),
        looks,
        path === '/' ? 'all' : 'none',
      );
    }
    await visit.page.getByText(INVITED).waitFor();
    expect(new URL(visit.page.url()).hash).toBe('');
    await visit.leave();
  });
});
