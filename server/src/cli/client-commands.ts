import type { Command } from 'commander';
import { SCOPES } from '../access/index.js';
import {
  createClient,
  listClients,
  organizationOfClient,
  revokeClient,
  rotateClientSecret,
} from '../credentials/index.js';
import { rotateSigningKey } from '../oauth/index.js';
import {
  listOf,
  organizationOf,
  organizationWith,
  secondsOf,
  transactFor,
  wantsJson,
  withRuntime,
} from './commands.js';
import { print, table } from './output.js';

interface CreateOptions {
  org: string;
  name: string;
  scope: string;
  redirectUri: string[];
  ip?: string;
  owner?: string;
  customer?: string;
}

export function clientCommands(program: Command): void {
  const client = program.command('client').description('OAuth 2.0 clients: apps that get tokens');
  client
    .command('create')
    .description('create a client; its secret is shown once')
    .requiredOption('--org <code>')
    .requiredOption('--name <name>', 'the name that people see on the consent page')
    .requiredOption('--scope <scopes>', 'comma-separated permissions; see below')
    .option(
      '--redirect-uri <url>',
      'exact address to which people return; repeatable; without it the client acts only for itself',
      (url: string, urls: string[]) => [...urls, ...listOf(url)],
      [],
    )
    .option('--ip <list>', 'addresses and CIDR blocks it may call from, comma-separated; any by default')
    .option('--owner <email>', 'who is responsible for it; by default the first administrator')
    .option('--customer <code>', 'restrict it to the data of one customer')
    .addHelpText(
      'after',
      `\nScopes:\n  ${SCOPES.join('\n  ')}\n\nExample:\n  lotward client create --org demo --name "Ward app" --scope inventory:read --redirect-uri https://app.example/back`,
    )
    .action(create);
  client
    .command('list')
    .description('list the clients of an organization')
    .requiredOption('--org <code>')
    .action(list);
  client
    .command('rotate')
    .description('rotate the secret; the old one stays valid for the overlap')
    .argument('<clientId>')
    .option('--overlap <duration>', '0 to 7d', '1d')
    .action(async (clientId: string, options: { overlap: string }, command: Command) => {
      const overlap = secondsOf(options.overlap);
      const made = await withRuntime(async (runtime) => {
        const organization = await organizationWith(runtime, 'client', clientId, organizationOfClient);
        return transactFor(runtime, organization, (tx) => rotateClientSecret(tx, clientId, overlap));
      });
      print(wantsJson(command), made, () => [
        `New secret (shown once): ${made.clientSecret}`,
        `The old one works until ${made.overlapUntil.toISOString()}.`,
      ]);
    });
  client
    .command('revoke')
    .description('revoke a client; it and its tokens are refused everywhere within a second')
    .argument('<clientId>')
    .action(async (clientId: string, _options: object, command: Command) => {
      const done = await withRuntime(async (runtime) => {
        const organization = await organizationWith(runtime, 'client', clientId, organizationOfClient);
        return transactFor(runtime, organization, (tx) => revokeClient(tx, clientId));
      });
      print(wantsJson(command), done, () => [
        `Client ${done.clientId} was revoked at ${done.revokedAt.toISOString()}.`,
      ]);
    });
  signingKeyCommand(program);
}

function signingKeyCommand(program: Command): void {
  program
    .command('signing-key')
    .description('the keys with which access tokens are signed')
    .command('rotate')
    .description(
      'make a new key: it is published now and signs in 10 minutes; tokens signed with the old one stay valid',
    )
    .option('--now', 'sign with it at once; clients that verify tokens must reload the published keys')
    .action(async (options: { now?: boolean }, command: Command) => {
      const made = await withRuntime((runtime) => rotateSigningKey(runtime, { now: options.now ?? false }));
      print(wantsJson(command), made, () => [
        `Key ${made.keyId} is published and signs from ${made.signsFrom.toISOString()} on.`,
        'Running processes switch to it within a minute; no restart is needed.',
      ]);
    });
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  const { client, ...pair } = await withRuntime(async (runtime) => {
    const organization = await organizationOf(runtime, options.org);
    return transactFor(runtime, organization, (tx) =>
      createClient(tx, {
        name: options.name,
        scopes: listOf(options.scope),
        redirectUris: options.redirectUri,
        owner: options.owner,
        fallbackOwner: runtime.config.adminEmail,
        allowList: listOf(options.ip),
        customerCode: options.customer,
      }),
    );
  });
  const { name, owner, scopes, redirectUris, allowList, customerCode } = client;
  const shown = { ...pair, name, owner, scopes, redirectUris, allowList, customerCode };
  print(wantsJson(command), shown, () => [
    `Client ${pair.clientId} of ${owner}; its secret, shown once:`,
    `  ${pair.clientSecret}`,
    'It gets tokens at /oauth/token, with both in HTTP Basic.',
  ]);
}

async function list(options: { org: string }, command: Command): Promise<void> {
  const clients = await withRuntime(async (runtime) => {
    const { orgId } = await organizationOf(runtime, options.org);
    return listClients(runtime.database.reader, orgId);
  });
  print(wantsJson(command), { clients }, () =>
    clients.length === 0
      ? [`${options.org} has no OAuth client yet. Create one with: lotward client create`]
      : table(
          ['CLIENT ID', 'NAME', 'OWNER', 'LAST USED', 'STATE', 'SCOPES', 'REDIRECT URIS'],
          clients.map((one) => [
            one.clientId,
            one.name,
            one.owner,
            one.lastUsedAt?.toISOString() ?? 'never',
            one.revokedAt ? 'revoked' : one.disabledAt ? 'disabled' : 'active',
            one.scopes.join(','),
            one.redirectUris.join(' '),
          ]),
        ),
  );
}
