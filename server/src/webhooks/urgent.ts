import { type EventType, URGENT_TYPES } from '../events/index.js';

export const isUrgent = (eventType: string): boolean => URGENT_TYPES.includes(eventType as EventType);

const literals = URGENT_TYPES.map((type) => `'${type}'`).join(', ');

/** SQL: the event `e` is pushed before others. Literals, so that the planner can use the partial index. */
export const isUrgentEvent = (e: string): string => `${e}.event_type in (${literals})`;
