import { findOrganization } from '../../organizations/index.js';
import { type Database, transact } from '../../platform/database/index.js';
import { Refusal } from '../../platform/errors/index.js';
import { compile } from '../../platform/http/index.js';
import { type Calendar, systemPrincipal } from '../../platform/principal.js';
import type { NewReading } from '../reading.js';
import { ReadingBody } from '../reading.schemas.js';
import { type RecordOptions, recordReadings } from '../record-readings.js';
import { placeOf, readingsIn } from './message.rules.js';

/** The outcome of a message. */
export interface Taken {
  stored: number;
  duplicates: number;
  /** Rejected readings by reason; `unreadable` counts a whole message. */
  refused: Map<string, number>;
}

const PAYLOAD_BYTES_MAX = 1_048_576;
const PER_TRANSACTION = 1_000;
const ACTOR = 'mqtt@lotward.invalid';
const checkReading = compile(ReadingBody, 'body');

type Addressee = (Calendar & { orgId: string; readings: unknown[] }) | Pick<Taken, 'refused'>;

/** The organization and readings of a message, or why it belongs to no organization. */
export async function organizationOf(database: Database, topic: string, payload: Buffer): Promise<Addressee> {
  const place = placeOf(topic);
  const readings =
    place && payload.length <= PAYLOAD_BYTES_MAX ? readingsIn(payload.toString('utf8'), place) : null;
  if (!place || !readings) return { refused: new Map([['unreadable', 1]]) };
  const organization = await findOrganization(database.reader, place.organization);
  if (organization?.status !== 'active')
    return { refused: new Map([['unknown_organization', readings.length]]) };
  const { orgId, timeZone, sandbox } = organization;
  return { orgId, timeZone, sandbox, readings };
}

/**
 * Records the valid readings of a message and counts the others by reason: MQTT has no reply, and one bad reading must not
 * block the gateway's others. Throws only on transient failures, such as an unavailable database.
 */
export async function takeMessage(
  database: Database,
  topic: string,
  payload: Buffer,
  options: RecordOptions,
): Promise<Taken> {
  const taken: Taken = { stored: 0, duplicates: 0, refused: new Map() };
  const refuse = (reason: string, count = 1) =>
    taken.refused.set(reason, (taken.refused.get(reason) ?? 0) + count);
  const found = await organizationOf(database, topic, payload);
  if ('refused' in found) return { ...taken, ...found };
  const { readings, orgId } = found;
  const good = readings.filter((reading) => checkReading(reading) === null) as NewReading[];
  if (good.length < readings.length) refuse('malformed', readings.length - good.length);
  const principal = systemPrincipal(orgId, ACTOR, found);
  for (let from = 0; from < good.length; from += PER_TRANSACTION) {
    let rest = good.slice(from, from + PER_TRANSACTION);
    while (rest.length > 0) {
      try {
        const kept = rest;
        const { stored, duplicates } = await transact(database, principal, (tx) =>
          recordReadings(tx, kept, options),
        );
        taken.stored += stored;
        taken.duplicates += duplicates;
        break;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const without = withoutRefused(rest, error);
        refuse(error.issues[0]?.reason ?? 'refused', rest.length - without.length);
        rest = without;
      }
    }
  }
  return taken;
}

/** Removes the reading that the refusal names, or all readings of its point when the point is refused. */
function withoutRefused(readings: readonly NewReading[], refusal: Refusal): NewReading[] {
  const [, , index, field] = refusal.issues[0]?.path?.split('/') ?? [];
  const named = readings[Number(index)];
  if (!named) throw refusal;
  return readings.filter((reading) =>
    field === 'pointId' ? reading.pointId !== named.pointId : reading !== named,
  );
}
