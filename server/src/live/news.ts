import { performance } from 'node:perf_hooks';
import { readDispatchMark } from '../dispatching/index.js';
import { readAlertMark } from '../environment/index.js';
import { EVENTS_TOPIC, type FeedPlace, publishedSince } from '../events/index.js';
import { type Database, type Tx, transact } from '../platform/database/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { readDeliveryFingerprint } from '../webhooks/index.js';

/** Something changed; listeners read the current state themselves. */
export type News =
  | { kind: 'events'; eventTypes: readonly string[] }
  | { kind: 'deliveries' | 'alerts' | 'dispatches' };

type Listener = (news: News) => void;

export interface NewsDesk {
  /** Resolves, once no later change can be missed, to a function that stops listening. */
  listen(orgId: string, listener: Listener): Promise<() => void>;
}

const LOOK_EVERY_MS = 1_000;
/** Events are announced, but an announcement may be lost. */
const EVENTS_EVERY_LOOKS = 5;

/** Change markers for tables without announcements: a text that differs after a change. */
const MARKS: Readonly<Record<'deliveries' | 'alerts' | 'dispatches', (tx: Tx) => Promise<string>>> = {
  deliveries: readDeliveryFingerprint,
  alerts: readAlertMark,
  dispatches: readDispatchMark,
};
const MARKED = Object.keys(MARKS) as (keyof typeof MARKS)[];

interface Watched {
  orgId: string;
  listeners: Set<Listener>;
  marks: readonly string[];
  place: FeedPlace | null;
  ready: Promise<void>;
  eventsLookedAtMs: number;
  /** A pending check for events. */
  timer: NodeJS.Timeout | undefined;
}

/** Listeners immediately read what changed, so their reads must not go to a replica that does not have it yet. */
const notify = ({ replica }: Database, org: Watched, news: News) => {
  replica?.noteWrite(org.orgId);
  for (const listener of org.listeners) listener(news);
};

const readMarks = (database: Database, orgId: string) =>
  transact(database, systemPrincipal(orgId, 'news@lotward.invalid'), async (tx) => {
    const marks: string[] = [];
    for (const kind of MARKED) marks.push(await MARKS[kind](tx));
    return marks;
  });

function watchedFromNow(database: Database, orgId: string): Watched {
  const org: Watched = {
    orgId,
    listeners: new Set(),
    marks: [],
    place: null,
    ready: Promise.resolve(),
    eventsLookedAtMs: Number.NEGATIVE_INFINITY,
    timer: undefined,
  };
  org.ready = (async () => {
    org.place = (await publishedSince(database, orgId, null)).place;
    org.marks = await readMarks(database, orgId);
  })();
  return org;
}

/** Checks once for all listeners of an organization, and skips organizations without listeners. */
export function openNewsDesk(database: Database): NewsDesk {
  const watched = new Map<string, Watched>();
  let ticker: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;
  let looks = 0;
  let looking = false;

  const lookForEvents = async (org: Watched) => {
    org.timer = undefined;
    org.eventsLookedAtMs = performance.now();
    const { place, types } = await publishedSince(database, org.orgId, org.place);
    org.eventsLookedAtMs = performance.now();
    org.place = place;
    if (types.length > 0) notify(database, org, { kind: 'events', eventTypes: types });
  };
  const hearOfEvents = (org: Watched) => {
    const waitMs = Math.max(0, org.eventsLookedAtMs + LOOK_EVERY_MS - performance.now());
    // A failed read is repeated at the next check.
    org.timer ??= setTimeout(() => void lookForEvents(org).catch(() => {}), waitMs).unref();
  };
  const lookForMarks = async (org: Watched) => {
    await org.ready;
    const marks = await readMarks(database, org.orgId);
    const before = org.marks;
    org.marks = marks;
    MARKED.forEach((kind, i) => {
      if (marks[i] !== before[i]) notify(database, org, { kind });
    });
  };

  /** One organization after the other, so that checking takes a single connection. */
  const look = async () => {
    if (looking) return;
    looking = true;
    looks++;
    for (const org of [...watched.values()]) {
      if (looks % EVENTS_EVERY_LOOKS === 0) hearOfEvents(org);
      await lookForMarks(org).catch(() => {});
    }
    looking = false;
  };

  const watch = (orgId: string): Watched => {
    const org = watchedFromNow(database, orgId);
    watched.set(orgId, org);
    ticker ??= setInterval(() => void look(), LOOK_EVERY_MS).unref();
    stopListening ??= database.announcer.listen(EVENTS_TOPIC, (of) => {
      for (const each of of === null ? watched.values() : [watched.get(of)]) if (each) hearOfEvents(each);
    });
    return org;
  };
  const leave = (org: Watched, listener: Listener) => {
    org.listeners.delete(listener);
    if (org.listeners.size > 0 || watched.get(org.orgId) !== org) return;
    watched.delete(org.orgId);
    clearTimeout(org.timer);
    if (watched.size > 0) return;
    clearInterval(ticker);
    stopListening?.();
    ticker = stopListening = undefined;
  };

  return {
    async listen(orgId, listener) {
      const org = watched.get(orgId) ?? watch(orgId);
      org.listeners.add(listener);
      try {
        await org.ready;
      } catch (error) {
        leave(org, listener);
        throw error;
      }
      return () => leave(org, listener);
    },
  };
}
