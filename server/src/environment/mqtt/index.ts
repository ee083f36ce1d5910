import type { Database } from '../../platform/database/index.js';
import { runAsLeader } from '../../platform/lease/index.js';
import { openSubscriber } from '../../platform/mqtt/index.js';
import type { RecordOptions } from '../record-readings.js';
import { keptClientId } from './client-id.store.js';
import { addIntakeCounts } from './intake-counts.store.js';
import { TOPICS } from './message.rules.js';
import { organizationOf, type Taken, takeMessage } from './take-message.js';
import { openWaitingMessages } from './waiting-messages.js';

export interface IntakeOptions extends RecordOptions {
  database: Database;
  url: string;
  leaseMs?: number;
  /** Messages of one organization that may wait. */
  waitingMax?: number;
  onState(connected: boolean, error: Error | null): void;
  onRefused(topic: string, refused: Readonly<Record<string, number>>): void;
  onError(error: unknown, doing: string): void;
}

/**
 * Takes readings from a broker. One worker at a time is connected, always with the same client id. The broker keeps messages
 * while none is connected, and redelivers those that a worker did not store before it died.
 */
export function openReadingIntake(options: IntakeOptions): { stop(): Promise<void> } {
  const { database, url } = options;
  return runAsLeader({
    pool: database.worker,
    name: 'mqtt',
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
    onError: (error) => options.onError(error, 'leader election'),
    begin: async () => {
      const waiting = await openWaitingMessages({
        database,
        ...(options.waitingMax === undefined ? {} : { perOrganizationMax: options.waitingMax }),
        onMessage: async (topic, payload) =>
          settle(options, topic, await takeMessage(database, topic, payload, options)),
        onError: (error) => options.onError(error, 'storing readings'),
      });
      const subscriber = await openSubscriber({
        url,
        clientId: await keptClientId(database.app),
        topics: TOPICS,
        onMessage: async (topic, payload) => {
          const found = await organizationOf(database, topic, payload);
          if ('refused' in found) return settle(options, topic, found);
          if (!(await waiting.add(found.orgId, topic, payload)))
            return settle(options, topic, { refused: new Map([['overloaded', found.readings.length]]) });
        },
        onConnected: () => options.onState(true, null),
        onDisconnected: (error) => options.onState(false, error),
        onRetry: (error) => options.onError(error, 'storing readings'),
      });
      return async () => {
        await subscriber.close();
        await waiting.stop();
      };
    },
  });
}

/** Counts the outcome of a message. */
async function settle(
  options: IntakeOptions,
  topic: string,
  { stored = 0, duplicates = 0, refused }: Partial<Taken> & Pick<Taken, 'refused'>,
): Promise<void> {
  const { database } = options;
  if (refused.size > 0) options.onRefused(topic, Object.fromEntries(refused));
  const counts = new Map([['messages', 1], ...refused]);
  if (stored > 0) counts.set('stored', stored);
  if (duplicates > 0) counts.set('duplicates', duplicates);
  // A failure here must not reject the message: its readings are already stored.
  await addIntakeCounts(database.worker, counts).catch((error) => options.onError(error, 'counting'));
}
