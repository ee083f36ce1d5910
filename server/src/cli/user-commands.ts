import type { Command } from 'commander';
import { chooseDigest, createUser, USER_ROLES } from '../access/index.js';
import { oneOf, organizationOf, transactFor, wantsJson, withRuntime } from './commands.js';
import { print, UsageError } from './output.js';

export function userCommands(program: Command): void {
  const user = program.command('user').description('people of an organization');
  user
    .command('create')
    .description('record a person; administrators are told by e-mail what needs them')
    .requiredOption('--org <code>')
    .requiredOption('--email <address>')
    .requiredOption('--role <role>', USER_ROLES.join(', '))
    .action(async (options: { org: string; email: string; role: string }, command: Command) => {
      if (!/^[^\s@]+@[^\s@]+$/.test(options.email))
        throw new UsageError(`"${options.email}" is not an e-mail address.`);
      const role = oneOf('--role', options.role, USER_ROLES);
      const made = await withRuntime(async (runtime) => {
        const organization = await organizationOf(runtime, options.org);
        return transactFor(runtime, organization, (tx) => createUser(tx, { email: options.email, role }));
      });
      print(wantsJson(command), made, () => [`${made.email} (${made.role}) recorded as ${made.userId}.`]);
    });
  user
    .command('update')
    .description('choose what a person is told')
    .requiredOption('--org <code>')
    .requiredOption('--email <address>')
    .requiredOption(
      '--daily-digest <choice>',
      'on or off: a mail a day on certificates, near expiry and alerts',
    )
    .action(async (options: { org: string; email: string; dailyDigest: string }, command: Command) => {
      const wanted = oneOf('--daily-digest', options.dailyDigest, ['on', 'off']) === 'on';
      await withRuntime(async (runtime) => {
        const organization = await organizationOf(runtime, options.org);
        await transactFor(runtime, organization, (tx) => chooseDigest(tx, options.email, wanted));
      });
      print(wantsJson(command), { email: options.email, dailyDigest: wanted }, () => [
        `The daily digest is ${wanted ? 'on' : 'off'} for ${options.email}.`,
      ]);
    });
}
