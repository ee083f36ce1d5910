import type { Command } from 'commander';
import { SCOPES } from '../access/index.js';
import {
  createKey,
  isKeyExpiry,
  listKeys,
  organizationOfKey,
  revokeKey,
  rotateKey,
  type StoredKey,
} from '../credentials/index.js';
import {
  listOf,
  organizationOf,
  organizationWith,
  secondsOf,
  transactFor,
  wantsJson,
  withRuntime,
} from './commands.js';
import { print, table, UsageError } from './output.js';

interface CreateOptions {
  org: string;
  name: string;
  scope: string;
  ip?: string;
  expires?: string;
  owner?: string;
  customer?: string;
}

export function keyCommands(program: Command): void {
  const key = program.command('key').description('API keys of partners and systems');
  key
    .command('create')
    .description('create a key; its secret is shown once')
    .requiredOption('--org <code>')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scope <scopes>', 'comma-separated permissions; see below')
    .option('--ip <list>', 'addresses and CIDR blocks it may call from, comma-separated; any by default')
    .option('--expires <date>', 'YYYY-MM-DD (to the end of that day in the organization) or an instant')
    .option('--owner <email>', 'who is responsible for it; by default the first administrator')
    .option('--customer <code>', 'restrict it to the data of one customer')
    .addHelpText(
      'after',
      `\nScopes:\n  ${SCOPES.join('\n  ')}\n\nExample:\n  lotward key create --org demo --name erp --scope products:read,inventory:read --ip 192.0.2.0/24`,
    )
    .action(create);
  key
    .command('list')
    .description('list the keys of an organization')
    .requiredOption('--org <code>')
    .action(list);
  key
    .command('rotate')
    .description('rotate the secret; the old one stays valid for the overlap')
    .argument('<keyId>')
    .option('--overlap <duration>', '0 to 7d', '1d')
    .action(async (keyId: string, options: { overlap: string }, command: Command) => {
      const overlap = secondsOf(options.overlap);
      const { key: _key, ...made } = await withRuntime(async (runtime) => {
        const organization = await organizationWith(runtime, 'key', keyId, organizationOfKey);
        const rotated = await transactFor(runtime, organization, (tx) => rotateKey(tx, keyId, overlap));
        return { ...rotated, key: null };
      });
      print(wantsJson(command), made, () => [
        `New key (shown once): ${made.apiKey}`,
        `The old one works until ${made.overlapUntil.toISOString()}.`,
      ]);
    });
  key
    .command('revoke')
    .description('revoke a key; it is refused everywhere within a second')
    .argument('<keyId>')
    .action(async (keyId: string, _options: object, command: Command) => {
      const done = await withRuntime(async (runtime) => {
        const organization = await organizationWith(runtime, 'key', keyId, organizationOfKey);
        return transactFor(runtime, organization, (tx) => revokeKey(tx, keyId));
      });
      print(wantsJson(command), done, () => [
        `Key ${done.keyId} was revoked at ${done.revokedAt.toISOString()}.`,
      ]);
    });
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  if (options.expires !== undefined && !isKeyExpiry(options.expires)) {
    throw new UsageError(
      `--expires takes YYYY-MM-DD or an instant such as 2027-01-31T12:00:00Z, not "${options.expires}".`,
    );
  }
  const made = await withRuntime(async (runtime) => {
    const organization = await organizationOf(runtime, options.org);
    return transactFor(runtime, organization, (tx) =>
      createKey(tx, {
        name: options.name,
        scopes: listOf(options.scope),
        owner: options.owner,
        fallbackOwner: runtime.config.adminEmail,
        expires: options.expires,
        allowList: listOf(options.ip),
        customerCode: options.customer,
      }),
    );
  });
  const { key, ...pair } = made;
  const shown = {
    ...pair,
    name: key.name,
    owner: key.owner,
    scopes: key.scopes,
    allowList: key.allowList,
    customerCode: key.customerCode,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
  print(wantsJson(command), shown, () => [
    `Key ${key.keyId} of ${key.owner}, shown once:`,
    `  ${pair.apiKey}`,
    `Send it as: Authorization: Bearer <key>`,
  ]);
}

function stateOf({ revokedAt, expiresAt, disabledAt }: StoredKey, now: Date): string {
  if (revokedAt) return 'revoked';
  if (expiresAt && expiresAt < now) return 'expired';
  return disabledAt ? 'disabled' : 'active';
}

async function list(options: { org: string }, command: Command): Promise<void> {
  const { keys, now } = await withRuntime(async (runtime) => {
    const { orgId } = await organizationOf(runtime, options.org);
    const { reader, clock } = runtime.database;
    return { keys: await listKeys(reader, orgId), now: clock.now() };
  });
  print(wantsJson(command), { keys }, () =>
    keys.length === 0
      ? [`${options.org} has no key yet. Create one with: lotward key create`]
      : table(
          ['KEY ID', 'NAME', 'OWNER', 'EXPIRES', 'LAST USED', 'STATE', 'SCOPES'],
          keys.map((k) => [
            k.keyId,
            k.name,
            k.owner,
            k.expiresAt?.toISOString() ?? 'never',
            k.lastUsedAt?.toISOString() ?? 'never',
            stateOf(k, now),
            k.scopes.join(','),
          ]),
        ),
  );
}
