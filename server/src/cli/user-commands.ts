import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  chooseDigest,
  createUser,
  endElsewhere,
  hashNewPassword,
  inviteUser,
  listUsers,
  OURSELVES,
  resetSecondFactor,
  USER_ROLES,
} from '../people/index.js';
import { oneOf, organizationOf, transactFor, wantsJson, withRuntime } from './commands.js';
import { addressOf } from './greeting.js';
import { print, table, UsageError } from './output.js';

export function userCommands(program: Command): void {
  const user = program.command('user').description('users of an organization');
  user
    .command('create')
    .description(
      'create a user; without a password they can set one by e-mail; a person of another organization keeps theirs',
    )
    .requiredOption('--org <code>')
    .requiredOption('--email <address>')
    .requiredOption('--role <role>', USER_ROLES.join(', '))
    .option('--password <password>', 'to sign in with, 12 characters or more; - reads it from standard input')
    .action(create);
  user
    .command('invite')
    .description('invite a user by e-mail to choose a password')
    .requiredOption('--org <code>')
    .requiredOption('--email <address>')
    .requiredOption('--role <role>', USER_ROLES.join(', '))
    .action(invite);
  user
    .command('reset-second-factor')
    .description(
      'remove the second factor of a person who lost it; ends their sessions in every organization',
    )
    .requiredOption('--org <code>', 'an organization of the person')
    .requiredOption('--email <address>')
    .action(resetFactor);
  user
    .command('list')
    .description('list the users of an organization')
    .requiredOption('--org <code>')
    .action(list);
  user
    .command('update')
    .description('change the notifications of a user')
    .requiredOption('--org <code>')
    .requiredOption('--email <address>')
    .requiredOption(
      '--daily-digest <choice>',
      'on or off: an e-mail a day on certificates, near expiry and alerts',
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

interface NewPerson {
  org: string;
  email: string;
  role: string;
  password?: string;
}

async function create(options: NewPerson, command: Command): Promise<void> {
  const { email, role } = personIn(options);
  const password =
    options.password === '-' ? readFileSync(0, 'utf8').replace(/\r?\n$/, '') : options.password;
  const made = await withRuntime(async (runtime) => {
    const organization = await organizationOf(runtime, options.org);
    const about = { email, organization: organization.name };
    const secret =
      password === undefined ? {} : { passwordHash: await hashNewPassword(password, about, OURSELVES) };
    return transactFor(runtime, organization, (tx) => createUser(tx, { email, role, ...secret }));
  });
  print(wantsJson(command), made, () => [`${made.email} (${made.role}) created as ${made.userId}.`]);
}

async function invite(options: NewPerson, command: Command): Promise<void> {
  const { email, role } = personIn(options);
  const { userId, link } = await withRuntime(async (runtime) => {
    const organization = await organizationOf(runtime, options.org);
    const mailing = {
      box: runtime.box,
      url: () => addressOf(runtime.config, runtime.config.port),
      handsOverLinks: runtime.config.smtpUrl === null,
    };
    return transactFor(runtime, organization, (tx) => inviteUser(tx, { email, role }, mailing));
  });
  print(wantsJson(command), { userId, email, role, link }, () =>
    link === null
      ? [`${email} is invited as ${role}; the e-mail is sent as soon as a worker runs.`]
      : [
          `${email} is invited as ${role}. SMTP_URL is not set, so no e-mail is sent.`,
          'Hand over this link, valid for 7 days:',
          `  ${link}`,
        ],
  );
}

async function resetFactor(options: { org: string; email: string }, command: Command): Promise<void> {
  const email = options.email.toLowerCase();
  await withRuntime(async (runtime) => {
    const organization = await organizationOf(runtime, options.org);
    const generation = await transactFor(runtime, organization, (tx) => resetSecondFactor(tx, email));
    const { orgId } = organization;
    await endElsewhere(runtime.database, { orgId, email, generation, requestId: null });
  });
  print(wantsJson(command), { email, secondFactor: false }, () => [
    `The second factor of ${email} is removed, and their sessions have ended.`,
  ]);
}

async function list(options: { org: string }, command: Command): Promise<void> {
  const users = await withRuntime(async (runtime) => {
    const organization = await organizationOf(runtime, options.org);
    return transactFor(runtime, organization, (tx) => listUsers(tx));
  });
  print(wantsJson(command), { users }, () =>
    users.length === 0
      ? ['There is no user yet. Create one with: lotward user create']
      : table(
          ['EMAIL', 'NAME', 'ROLE', 'STATUS', 'SECOND FACTOR', 'LAST SIGN-IN'],
          users.map((user) => [
            user.email,
            user.name ?? '',
            user.role,
            user.status,
            user.secondFactor ? 'yes' : 'no',
            user.lastSignInAt?.toISOString() ?? 'never',
          ]),
        ),
  );
}

function personIn(options: NewPerson) {
  if (!/^[^\s@]+@[^\s@]+$/.test(options.email))
    throw new UsageError(`"${options.email}" is not an e-mail address.`);
  return { email: options.email.toLowerCase(), role: oneOf('--role', options.role, USER_ROLES) };
}
