import { readConfig } from '../config/index.js';
import { toUtcInstant } from '../platform/calendar/index.js';
import { newId } from '../platform/ids/index.js';
import { newSecret } from '../webhooks/index.js';
import { listOf } from './commands.js';
import { say, UsageError } from './output.js';
import { relayEvents } from './relay-events.js';

/** The options of `webhook listen` that belong to `--server`. */
export interface RelayFlags {
  server?: string;
  key?: string;
  forwardTo?: string;
  events?: string;
  since?: string;
  secret?: string;
  register?: boolean;
}

/** Relays events of another server, as the options say. */
export async function relayFrom(serverText: string, flags: RelayFlags): Promise<void> {
  if (flags.register)
    throw new UsageError('--register is for the local database; it does not go with --server.');
  const server = serverUrlOf(serverText);
  const { webhooks, apiKey: keyOfEnvironment } = readConfig();
  const apiKey = flags.key ?? keyOfEnvironment;
  if (!apiKey) throw new UsageError('--server needs an API key: set LOTWARD_API_KEY, or give --key.');
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError('The API key contains characters that no key has.');
  const forwardTo = flags.forwardTo === undefined ? null : urlOf('--forward-to', flags.forwardTo);
  const secret = secretOf(flags);
  const stop = stopAtSignals();
  if (forwardTo === null) say(`Printing the events of ${server.origin}.`);
  else say(`Relaying the events of ${server.origin} to ${forwardTo.href}, secret ${secret}`);
  await relayEvents({
    ...{ server, apiKey, forwardTo, secret, signal: stop.signal },
    eventTypes: listOf(flags.events),
    since: sinceOf(flags.since),
    webhookId: newId('whk', new Date()),
    headerPrefix: webhooks.headerPrefix,
    timeoutMs: webhooks.timeoutMs,
  });
}

/** Without a server they would silently have no effect. */
export function refuseRelayFlags({ key, forwardTo, events, since }: RelayFlags): void {
  const given = Object.entries({
    '--key': key,
    '--forward-to': forwardTo,
    '--events': events,
    '--since': since,
  });
  const [flag] = given.find(([, value]) => value !== undefined) ?? [];
  if (flag !== undefined) throw new UsageError(`${flag} needs --server.`);
}

export function secretOf({ secret = newSecret() }: RelayFlags): string {
  if (!/^[\x20-\x7e]{16,128}$/.test(secret))
    throw new UsageError('--secret takes 16 to 128 printable ASCII characters.');
  return secret;
}

export function stopAtSignals(): AbortController {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop;
}

function urlOf(option: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`${option} takes an address such as http://localhost:3000/hook, not "${text}".`);
  if (url.username || url.password) throw new UsageError(`${option} takes an address without a password.`);
  return url;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** The key must not travel in the clear. */
function serverUrlOf(text: string): URL {
  const url = urlOf('--server', text);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname))
    throw new UsageError(
      '--server takes an https address: over http, anybody on the way could read the key.',
    );
  return url;
}

function sinceOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  const instant = toUtcInstant(text);
  if (instant === null)
    throw new UsageError(`--since takes an instant such as 2026-11-15T10:00:00Z, not "${text}".`);
  return instant;
}
