import { afterAll, beforeAll, expect } from 'vitest';
import { inviteUser } from '../../../server/src/people/index.js';
import { transact } from '../../../server/src/platform/database/index.js';
import { systemPrincipal } from '../../../server/src/platform/principal.js';
import { newPerson, openMailbox, PASSWORD, tokenIn } from '../../../server/test/access/people.js';
import { newOrganization, type TestOrganization } from '../../../server/test/harness/index.js';
import { button, type ConsoleWorld, field, inBrowser, openConsole } from '../harness/index.js';

let world: ConsoleWorld;
let other: TestOrganization;
beforeAll(async () => {
  world = await openConsole();
  other = await newOrganization(world.db);
});
afterAll(() => world?.close());

/** The link that invites the person to the other organization. */
async function invitationOf(email: string): Promise<string> {
  const mailbox = await openMailbox(world.db);
  const mailing = { box: world.db.box, url: () => world.api.url };
  const operator = systemPrincipal(other.organization.orgId, 'operator@test.example');
  await transact(world.db.database, operator, (tx) => inviteUser(tx, { email, role: 'viewer' }, mailing));
  const token = tokenIn((await mailbox.fetch()).find(({ to }) => to.includes(email))?.text ?? '');
  await mailbox.close();
  return token;
}

inBrowser(
  'a person with an account joins another organization with their password, and switches back',
  90_000,
  async () => {
    const { organization } = world.org;
    const person = await newPerson(world.db, world.org);
    const token = await invitationOf(person.email);
    const visit = await world.arrive();
    const { page } = visit;
    await visit.go(`/invitation#${token}`);
    await field(page, 'Your password').first().fill(PASSWORD);
    await button(page, 'Join organization').click();
    const named = (name: string) => page.getByRole('banner').getByText(name, { exact: true });
    await named(other.organization.name).waitFor();
    await button(page, 'Your account').click();
    await page.getByRole('menuitem', { name: organization.name }).click();
    await named(organization.name).waitFor();
    expect(await named(other.organization.name).count()).toBe(0);
    await visit.leave();
  },
);
