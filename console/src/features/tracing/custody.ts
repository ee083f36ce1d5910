import type { Step } from './trace-query.js';

type Party = NonNullable<Step['from']>;

/** An uninterrupted stay of goods with one party. */
export interface Stay {
  key: string;
  party: Party;
  from: string;
  /** Null if the goods are still there. */
  until: string | null;
  /** The largest quantity present at any time. */
  most: number;
  /** The quantity that is there now. */
  left: number;
  arrivals: Step[];
  departures: Step[];
  /** Holds, recalls and releases during the stay. */
  notes: Step[];
}

const ARRIVES = new Set<Step['step']>(['received', 'returned', 'added', 'moved_in', 'dispatched']);
const LEAVES = new Set<Step['step']>([
  'returned',
  'moved_out',
  'dispatched',
  'removed',
  'destroyed',
  'returned_to_supplier',
]);
const NOTES = new Set<Step['step']>(['held', 'recalled', 'released']);

/** Steps are in the order of recording, which differs from the order of their times if entries were made later. */
const earlier = (one: string, two: string): string => (Date.parse(two) < Date.parse(one) ? two : one);

const keyOf = ({ kind, code }: Party): string => `${kind} ${code ?? ''}`;

/** Derives who had the goods and when from the steps of their history, oldest first. Suppliers hold nothing on record. */
export function staysOf(steps: readonly Step[]): Stay[] {
  const stays: Stay[] = [];
  const open = new Map<string, Stay>();
  const arrive = (party: Party, step: Step) => {
    const key = keyOf(party);
    let stay = open.get(key);
    if (!stay) {
      const number = stays.filter((each) => keyOf(each.party) === key).length;
      stay = {
        ...{ key: `${key} ${number}`, party, from: step.at, until: null, most: 0, left: 0 },
        ...{ arrivals: [], departures: [], notes: [] },
      };
      stays.push(stay);
      open.set(key, stay);
    }
    stay.arrivals.push(step);
    stay.from = earlier(stay.from, step.at);
    stay.left += step.quantity;
    stay.most = Math.max(stay.most, stay.left);
  };
  const leave = (party: Party, step: Step) => {
    const key = keyOf(party);
    const stay = open.get(key);
    if (!stay) return;
    stay.departures.push(step);
    stay.from = earlier(stay.from, step.at);
    stay.left = Math.max(0, stay.left - step.quantity);
    if (stay.left > 0) return;
    stay.until = stay.departures
      .map(({ at }) => at)
      .reduce((one, two) => (earlier(one, two) === one ? two : one));
    open.delete(key);
  };
  for (const step of steps) {
    const { from, to } = step;
    if (from && from.kind !== 'supplier' && LEAVES.has(step.step)) leave(from, step);
    if (to && to.kind !== 'supplier' && ARRIVES.has(step.step)) arrive(to, step);
    if (NOTES.has(step.step) && step.location !== null)
      open.get(keyOf({ kind: 'warehouse', code: step.location, name: null }))?.notes.push(step);
  }
  return stays;
}

/** The documents by which goods came and left, each once. */
export function documentsOf({ arrivals, departures }: Stay): NonNullable<Step['document']>[] {
  const found = new Map<string, NonNullable<Step['document']>>();
  for (const { document } of [...arrivals, ...departures])
    if (document) found.set(`${document.type} ${document.id}`, document);
  return [...found.values()];
}

/** Positions on a line from 0 to 100, for the drawing. */
export interface Scale {
  start: number;
  end: number;
  at(instant: string | null): number;
}

export function scaleOf(steps: readonly Step[], now: number): Scale {
  const times = steps.map((step) => Date.parse(step.at));
  const start = Math.min(now, ...times);
  const end = Math.max(now, start + 1, ...times);
  return {
    start,
    end,
    at: (instant) => (((instant === null ? end : Date.parse(instant)) - start) / (end - start)) * 100,
  };
}
