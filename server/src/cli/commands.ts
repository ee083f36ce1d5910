import type { Command } from 'commander';
import { readConfig } from '../config/index.js';
import { findOrganization, type Organization, readOrganization } from '../organizations/index.js';
import { firstAdministrator } from '../people/index.js';
import { type Pool, type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { say, UsageError } from './output.js';
import { openRuntime, type Runtime } from './runtime.js';

/** Opens the database, runs the command, and always closes again. */
export async function withRuntime<T>(
  work: (runtime: Runtime) => Promise<T>,
  { requireSameTime = false }: { requireSameTime?: boolean } = {},
): Promise<T> {
  const runtime = await openRuntime(readConfig(), { onProgress: say, requireSameTime });
  try {
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}

export async function organizationOf(runtime: Runtime, code: string): Promise<Organization> {
  const organization = await findOrganization(runtime.database.reader, code);
  if (!organization) throw new UsageError(`There is no organization ${code}. See: lotward org list`);
  return organization;
}

/** The organization that has a key or client, which is named by its id alone. */
export async function organizationWith(
  runtime: Runtime,
  type: 'key' | 'client',
  id: string,
  findOrganizationId: (reader: Pool, id: string) => Promise<string | null>,
): Promise<Organization> {
  const { reader } = runtime.database;
  const orgId = await findOrganizationId(reader, id);
  const organization = orgId === null ? null : await readOrganization(reader, orgId);
  if (!organization) throw new UsageError(`There is no ${type} ${id}. See: lotward ${type} list --org CODE`);
  return organization;
}

/** Runs work inside an organization, on behalf of its first administrator or else the operator. */
export async function transactFor<T>(
  runtime: Runtime,
  organization: Organization,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { orgId } = organization;
  const asked = systemPrincipal(orgId, operatorOf(runtime), organization);
  const admin = await transact(runtime.database, asked, firstAdministrator);
  return transact(runtime.database, systemPrincipal(orgId, admin ?? asked.actor, organization), work);
}

export const operatorOf = (runtime: Runtime): string =>
  runtime.config.adminEmail ?? 'operator@lotward.invalid';

export const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** `--json` may stand anywhere on the line. */
export const wantsJson = (command: Command): boolean => command.optsWithGlobals().json === true;

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** `0`, `90s`, `30m`, `12h`, `1d` in seconds. */
export function secondsOf(text: string): number {
  const match = /^(\d+)([smhd]?)$/.exec(text);
  if (!match) throw new UsageError(`"${text}" is not a duration; write 0, 90s, 30m, 12h or 1d.`);
  return Number(match[1]) * (UNITS[match[2] || 's'] ?? 1);
}

export function oneOf<T extends string>(what: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text);
  if (!found) throw new UsageError(`${what} must be one of ${allowed.join(', ')}, not "${text}".`);
  return found;
}
