import { afterAll, beforeAll, expect } from 'vitest';
import { inviteUser } from '../../../server/src/people/index.js';
import { transact } from '../../../server/src/platform/database/index.js';
import { systemPrincipal } from '../../../server/src/platform/principal.js';
import { openMailbox, tokenIn } from '../../../server/test/access/people.js';
import { type ConsoleWorld, inBrowser, openConsole } from '../harness/index.js';
import { inspect } from '../harness/look-at-pages.js';

const PAGE_MS = 60_000;
const CONSOLE = 'https://lotward.example';
const INVITED = 'new@acme.example';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsole();
});
afterAll(() => world.close());

inBrowser(
  'signing in, an invitation, a new password: without barriers, untranslated words or anything beyond the screen',
  PAGE_MS,
  async () => {
    const visit = await world.arrive({ language: 'zh-CN' });
    const mailbox = await openMailbox(world.db);
    const principal = systemPrincipal(world.orgId, 'operator@test.example');
    const mailing = { box: world.db.box, url: () => CONSOLE };
    await transact(world.db.database, principal, (tx) =>
      inviteUser(tx, { email: INVITED, role: 'viewer' }, mailing),
    );
    const mail = (await mailbox.fetch()).find(({ to }) => to.includes(INVITED));
    await mailbox.close();
    for (const path of ['/', '/password-reset', '/invitation', `/invitation#${tokenIn(mail?.text ?? '')}`]) {
      await visit.page.goto('about:blank');
      await visit.go(path);
      await inspect(visit, path === '/' ? '/sign-in' : path.replace(/#.*/, '/invited'));
    }
    await visit.page.getByText(INVITED).waitFor();
    expect(new URL(visit.page.url()).hash).toBe('');
    await visit.leave();
  },
);
