import { findMatches, pairOf, SUBJECTS_MAX } from '../indexing/index.js';
import type { Choice, Database } from '../platform/database/index.js';
import { createHook } from '../platform/hooks/index.js';
import type { Principal } from '../platform/principal.js';

/**
 * Finds records without search entries that events are about, by any part of a number or name. The slices above connect it.
 */
export const findFewSubjects = createHook<
  [database: Database, principal: Principal, text: string],
  readonly { type: string; ids: readonly string[] }[]
>('events.findFewSubjects');

/** The records that a text matches, under the names that events use. */
export interface Subjects {
  eventId: string;
  customerCodes: readonly string[];
  entities: readonly { type: string; ids: readonly string[] }[];
}

/** Undefined if there is no text. */
export async function findSubjects(
  database: Database,
  principal: Principal,
  text: string | undefined,
): Promise<Subjects | undefined> {
  const kinds = ['order', 'receipt', 'product', 'batch', 'certificate', 'partner'] as const;
  const matches = await findMatches(database, principal.orgId, text, kinds, SUBJECTS_MAX);
  if (!matches) return undefined;
  const { partner, batch, text: given, ...others } = matches;
  return {
    eventId: given,
    customerCodes: partner,
    entities: [
      ...Object.entries(others).map(([type, ids]) => ({ type, ids })),
      { type: 'batch', ids: batch.map((key) => pairOf(key).join('/')) },
      ...(await findFewSubjects(database, principal, given)),
    ],
  };
}

/** The conditions on events about these records. */
export const subjectChoices = (subjects: Subjects | undefined): Choice[] =>
  subjects === undefined
    ? []
    : [
        { event_id: [subjects.eventId] },
        { customer_code: subjects.customerCodes },
        ...subjects.entities.map(({ type, ids }) => ({ entity_type: [type], entity_id: ids })),
      ];
