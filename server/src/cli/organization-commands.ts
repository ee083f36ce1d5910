import type { Command } from 'commander';
import { SCOPES } from '../access/index.js';
import {
  CERTIFICATE_GATES,
  CERTIFICATE_SUBJECTS,
  createOrganization,
  type DemandedCertificate,
  EDITIONS,
  listOrganizations,
  ORGANIZATION_STATUSES,
  type Organization,
  updateOrganization,
} from '../organizations/index.js';
import { createUser, hashNewPassword, OURSELVES } from '../people/index.js';
import { isCalendarDate } from '../platform/calendar/index.js';
import { Refusal } from '../platform/errors/index.js';
import { systemPrincipal } from '../platform/principal.js';
import {
  buildSandbox,
  endSandboxesOf,
  registerSandbox,
  requireRoom,
  SANDBOX_DATA,
} from '../sandboxes/index.js';
import { oneOf, operatorOf, organizationOf, transactFor, wantsJson, withRuntime } from './commands.js';
import { print, table, UsageError } from './output.js';
import type { Runtime } from './runtime.js';

const shown = (o: Organization) => ({
  orgId: o.orgId,
  code: o.code,
  name: o.name,
  edition: o.edition,
  timeZone: o.timeZone,
  sandboxOf: o.sandboxOf,
  status: o.status,
  samePersonRecheck: o.samePersonRecheck,
  certificateGate: o.certificateGate,
  demandedCertificates: o.demandedCertificates,
  booksFrom: o.booksFrom,
});

const isAllowed = (option: string, text: string): boolean =>
  oneOf(option, text, ['allowed', 'refused']) === 'allowed';

/** Reads `supplier:licence,product:registration`; an empty text requires none. */
const demandsOf = (option: string, text: string): DemandedCertificate[] =>
  [...new Set(text.split(',').map((each) => each.trim()))]
    .filter((each) => each !== '')
    .map((each) => {
      const colon = each.indexOf(':');
      const type = each.slice(colon + 1).trim();
      if (colon === -1 || type === '' || type.length > 64)
        throw new UsageError(
          `${option} takes subject:type, such as supplier:licence; "${each}" is not that.`,
        );
      return { subjectType: oneOf(option, each.slice(0, colon).trim(), CERTIFICATE_SUBJECTS), type };
    });

export function organizationCommands(program: Command): void {
  const org = program.command('org').description('organizations: the enterprises on this platform');
  org
    .command('create')
    .description('create an organization')
    .option('--code <code>', 'short code, unique on this platform')
    .requiredOption('--name <name>', 'name of the enterprise')
    .option('--sandbox-of <code>', 'open a sandbox of this organization instead, and print its key once')
    .option('--data <data>', 'what a sandbox begins with: catalogue, demo or empty', 'catalogue')
    .option('--edition <edition>', 'ordinary (100 requests a minute) or standard (1000)', 'ordinary')
    .option('--time-zone <zone>', 'IANA time zone in which its days begin and end', 'UTC')
    .action(
      async (
        {
          code = '',
          sandboxOf,
          ...options
        }: {
          code?: string;
          name: string;
          edition: string;
          timeZone: string;
          sandboxOf?: string;
          data: string;
        },
        command: Command,
      ) => {
        if (sandboxOf !== undefined) return openSandbox(sandboxOf, options, command);
        if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(code))
          throw new UsageError('--code takes letters, digits, dot, dash and underscore.');
        const edition = oneOf('--edition', options.edition, EDITIONS);
        const { made, administrator } = await withRuntime((runtime) =>
          createWithAdministrator(runtime, { ...options, code, edition }),
        );
        print(wantsJson(command), shown(made), () => [
          `Organization ${made.code} created (${made.orgId}).`,
          ...(administrator === null ? [] : [`${administrator} is its administrator and can sign in.`]),
          `Next: lotward key create --org ${made.code} --name first --scope products:read,inventory:read --owner you@example.com`,
        ]);
      },
    );
  updateCommand(org);
  org
    .command('list')
    .description('list all organizations')
    .action(async (_options: object, command: Command) => {
      const all = await withRuntime((runtime) => listOrganizations(runtime.database.reader));
      print(wantsJson(command), { organizations: all.map(shown) }, () =>
        all.length === 0
          ? ['There is no organization yet. Create one with: lotward org create']
          : table(
              ['CODE', 'NAME', 'EDITION', 'TIME ZONE', 'STATUS'],
              all.map((o) => [o.code, o.name, o.edition, o.timeZone, o.status]),
            ),
      );
    });
}

async function openSandbox(
  parentCode: string,
  options: { name: string; data: string },
  command: Command,
): Promise<void> {
  const data = oneOf('--data', options.data, SANDBOX_DATA);
  const { sandbox, keyId, apiKey } = await withRuntime(async (runtime) => {
    const parent = await organizationOf(runtime, parentCode);
    if (parent.sandboxOf !== null) throw new UsageError(`${parentCode} is a sandbox itself.`);
    await transactFor(runtime, parent, requireRoom);
    const operator = systemPrincipal(parent.orgId, operatorOf(runtime), parent);
    const by = { ...operator, scopes: new Set<string>(SCOPES) };
    const built = await buildSandbox(runtime.database, parent, by, { name: options.name, data });
    return transactFor(runtime, parent, (tx) => registerSandbox(tx, built));
  });
  const { sandboxId, code, name } = sandbox;
  print(wantsJson(command), { sandboxId, code, name, keyId, apiKey }, () => [
    `Sandbox ${code} of ${parentCode} opened (${sandboxId}).`,
    `Its key, shown only now: ${apiKey}`,
  ]);
}

/** The person that the environment names becomes its first administrator. A person who has a password keeps it. */
async function createWithAdministrator(
  runtime: Runtime,
  input: Parameters<typeof createOrganization>[2],
): Promise<{ made: Organization; administrator: string | null }> {
  const { database, config } = runtime;
  const first = config.firstAdministrator;
  const about = { email: first?.email ?? '', organization: input.name };
  const passwordHash =
    first && (await hashNewPassword(first.password, about, OURSELVES, 'LOTWARD_ADMIN_PASSWORD'));
  const made = await createOrganization(database, operatorOf(runtime), input);
  if (!first || !passwordHash) return { made, administrator: null };
  const create = (secret: { passwordHash?: string }) =>
    transactFor(runtime, made, (tx) => createUser(tx, { email: first.email, role: 'admin', ...secret }));
  const { email } = await create({ passwordHash }).catch((error) => {
    if (error instanceof Refusal && error.issues[0]?.reason === 'has_password') return create({});
    throw error;
  });
  return { made, administrator: email };
}

function dateOf(option: string, text: string): string {
  if (!isCalendarDate(text)) throw new UsageError(`${option} must be a date such as 2026-01-31.`);
  return text;
}

function updateCommand(org: Command): void {
  org
    .command('update')
    .description('change an organization: its name, edition, time zone, status and policies')
    .requiredOption('--code <code>', 'which organization')
    .option('--name <name>')
    .option('--edition <edition>', EDITIONS.join(' or '))
    .option('--time-zone <zone>')
    .option(
      '--status <status>',
      'active, or suspended: all its credentials are refused, and its sandboxes end',
    )
    .option(
      '--same-person-recheck <policy>',
      'allowed or refused: whether the person who picked may also re-check',
    )
    .option('--certificate-gate <policy>', 'refuse or warn: steps whose certificates are not in force')
    .option(
      '--demand-certificates <list>',
      'what must be in force, as supplier:licence,product:registration; empty: nothing more than is on record',
    )
    .option('--books-from <date>', 'first day of the books: nothing can be recorded with an earlier date')
    .action(
      async (
        options: {
          code: string;
          name?: string;
          edition?: string;
          timeZone?: string;
          status?: string;
          samePersonRecheck?: string;
          certificateGate?: string;
          demandCertificates?: string;
          booksFrom?: string;
        },
        command: Command,
      ) => {
        const change = {
          ...(options.name === undefined ? {} : { name: options.name }),
          ...(options.timeZone === undefined ? {} : { timeZone: options.timeZone }),
          ...(options.edition === undefined
            ? {}
            : { edition: oneOf('--edition', options.edition, EDITIONS) }),
          ...(options.status === undefined
            ? {}
            : { status: oneOf('--status', options.status, ORGANIZATION_STATUSES) }),
          ...(options.samePersonRecheck === undefined
            ? {}
            : { samePersonRecheck: isAllowed('--same-person-recheck', options.samePersonRecheck) }),
          ...(options.certificateGate === undefined
            ? {}
            : { certificateGate: oneOf('--certificate-gate', options.certificateGate, CERTIFICATE_GATES) }),
          ...(options.demandCertificates === undefined
            ? {}
            : { demandedCertificates: demandsOf('--demand-certificates', options.demandCertificates) }),
          ...(options.booksFrom === undefined
            ? {}
            : { booksFrom: dateOf('--books-from', options.booksFrom) }),
        };
        if (Object.keys(change).length === 0)
          throw new UsageError(
            'Give at least one of --name, --edition, --time-zone, --status, --same-person-recheck, --certificate-gate, --demand-certificates or --books-from.',
          );
        const { changed, ended } = await withRuntime(async (runtime) => {
          const { orgId } = await organizationOf(runtime, options.code);
          const operator = operatorOf(runtime);
          const changed = await updateOrganization(runtime.database, operator, orgId, change);
          const ended =
            changed.status === 'suspended' ? await endSandboxesOf(runtime.database, orgId, operator) : [];
          return { changed, ended };
        });
        print(wantsJson(command), shown(changed), () => [
          `Organization ${changed.code} is now: ${JSON.stringify(shown(changed))}`,
          ...(ended.length > 0
            ? [`${ended.length === 1 ? '1 sandbox' : `${ended.length} sandboxes`} ended: ${ended.join(', ')}`]
            : []),
        ]);
      },
    );
}
