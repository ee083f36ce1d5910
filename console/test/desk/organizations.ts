import { expect } from 'vitest';
import { inviteUser } from '../../../server/src/people/index.js';
import { transact } from '../../../server/src/platform/database/index.js';
import { systemPrincipal } from '../../../server/src/platform/principal.js';
import { newPerson, openMailbox, PASSWORD, tokenIn } from '../../../server/test/access/people.js';
import { newOrganization, type TestOrganization } from '../../../server/test/harness/index.js';
import { button, type ConsoleService, type ConsoleWorld, field, inBrowser } from '../harness/index.js';

/** The link that invites the person to the other organization. */
async function invitationOf(world: ConsoleWorld, other: TestOrganization, email: string): Promise<string> {
  const mailbox = await openMailbox(world.db);
  const mailing = { box: world.db.box, url: () => world.api.url };
  const operator = systemPrincipal(other.organization.orgId, 'operator@test.example');
  await transact(world.db.database, operator, (tx) => inviteUser(tx, { email, role: 'viewer' }, mailing));
  const token = tokenIn((await mailbox.fetch()).find(({ to }) => to.includes(email))?.text ?? '');
  await mailbox.close();
  return token;
}

export const testOrganizations = (service: () => ConsoleService) =>
  inBrowser(
    'a person with an account joins another organization with their password, and switches back',
    90_000,
    async () => {
      const world = service();
      const other = await newOrganization(world.db);
      const { organization } = world.org;
      const person = await newPerson(world.db, world.org);
      const token = await invitationOf(world, other, person.email);
      const visit = await world.arrive();
      const { page } = visit;
      await visit.go(`/invitation#${token}`);
      await field(page, 'Your password').first().fill(PASSWORD);
      await button(page, 'Join organization').click();
      const named = (name: string) => page.getByRole('banner').getByText(name, { exact: true });
      await named(other.organization.name).waitFor();
      // A request still on its way would be refused: the switch ends the session it belongs to.
      await visit.settle();
      await button(page, 'Your account').click();
      await page.getByRole('menuitem', { name: organization.name }).click();
      await named(organization.name).waitFor();
      expect(await named(other.organization.name).count()).toBe(0);
      await visit.leave();
    },
  );
