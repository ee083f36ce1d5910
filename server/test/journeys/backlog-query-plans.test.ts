import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockAuditHead, readUnsealed, sealEntries } from '../../src/audit/audit.store.js';
import { CHAIN_START } from '../../src/audit/chain.rules.js';
import { hashLink } from '../../src/audit/seal-audit.js';
import { numberAndRead, numberNextEvents, removeOldEvents } from '../../src/events/event.store.js';
import { claimDueMail, removeSettledMails } from '../../src/mailing/mail.store.js';
import type { Tx } from '../../src/platform/database/index.js';
import { removeAttempts, removeDeliveries } from '../../src/webhooks/old-pushes.store.js';
import { costOf, type Planning } from '../harness/explained.js';
import { fullTier, newOrganization, openTestDatabase, sized, type TestDatabase } from '../harness/index.js';

/** Every size by the same factor: a plan that reads all that waits reads as many batches more. */
const size = (thousands: number) => thousands * sized(200, 1_000);
/** Done before the statistics were taken, in this organization; and in each of three others. */
const DONE = size(20);
const DONE_ELSEWHERE = size(2);
const BATCH = size(1);
const [SHORT, LONG] = [BATCH, size(15)];
const NOW = new Date('2026-11-15T12:00:00Z');
const WEBHOOK = `whk_${'0'.repeat(26)}`;

/** A task done in batches: how to create its backlog, and how to run one batch. */
interface Task {
  done(db: TestDatabase, orgId: string, count: number): Promise<unknown>;
  backlog(db: TestDatabase, orgId: string, after: number, count: number): Promise<unknown>;
  batch(tx: Tx): Promise<number>;
}

const events = (
  db: TestDatabase,
  orgId: string,
  first: number,
  count: number,
  numbered: boolean,
  from: string,
) =>
  db.sql(
    `insert into events (org_id, event_id, event_type, at, entity_type, entity_id, entity_version, body, position)
     select $1, 'evt_' || lpad(i::text, 26, '0'), 'expiry.warning', $5::timestamptz + i / 500 * interval '1 second',
       'order', 'ord_' || i % 1000, i, '{"n":' || i || '}', case when $4 then i end
     from generate_series($2::integer, $2::integer + $3::integer - 1) i`,
    [orgId, first, count, numbered, from],
  );
const eventHead = (db: TestDatabase, orgId: string, position: number) =>
  db.sql(
    'insert into event_heads (org_id, position) values ($1, $2) on conflict (org_id) do update set position = $2',
    [orgId, position],
  );
const entries = (db: TestDatabase, orgId: string, first: number, count: number, sealed: boolean) =>
  db.sql(
    `insert into audit_entries (org_id, entry_id, at, actor, credential_id, action, entity_type, entity_id, position, hash)
     select $1, 'aud_' || lpad(i::text, 26, '0'), $5::timestamptz + i / 500 * interval '1 second', 'a@b.example', 'key',
       'stock.adjust', 'product', 'P-' || i % 1000, case when $4 then i end, case when $4 then md5(i::text) end
     from generate_series($2::integer, $2::integer + $3::integer - 1) i`,
    [orgId, first, count, sealed, '2026-11-15T10:00:00Z'],
  );
const mails = (db: TestDatabase, orgId: string, prefix: string, count: number, settledAt: string | null) =>
  db.sql(
    `insert into mails (org_id, mail_id, dedupe_key, recipients, subject, body, created_at, due_at, sent_at)
     select $1, $2 || i, $2 || i, '{a@b.example}', 's', 'b', $4, case when $5::timestamptz is null then $4::timestamptz end,
       $5::timestamptz + i * interval '1 millisecond'
     from generate_series(1, $3::integer) i`,
    [orgId, prefix, count, '2026-11-15T10:00:00Z', settledAt],
  );
const pushes = async (db: TestDatabase, orgId: string, first: number, count: number) => {
  await db.sql(
    `insert into webhooks (org_id, webhook_id, callback_url, event_types, secret, created_at, created_by, updated_at)
     values ($1, $2, 'https://partner.example/', '{expiry.warning}', 's', $3, 'a@b.example', $3) on conflict do nothing`,
    [orgId, WEBHOOK, NOW],
  );
  await db.sql(
    `insert into webhook_attempts select $1, $2, i, 1, $5, 20, false, 500, null, null
     from generate_series($3::integer, $3::integer + $4::integer - 1) i`,
    [orgId, WEBHOOK, first, count, NOW],
  );
  await db.sql(
    `insert into webhook_deliveries (org_id, webhook_id, position, status, attempts, tries, updated_at)
     select $1, $2, i, 'failed', 4, 3, $5 from generate_series($3::integer, $3::integer + $4::integer - 1) i`,
    [orgId, WEBHOOK, first, count, NOW],
  );
};

const recent = '2026-11-15T10:00:00Z';
const old = '2026-01-01T10:00:00Z';
const tasks: Record<string, Task> = {
  'numbering events': {
    async done(db, orgId, count) {
      await events(db, orgId, 1, count, true, recent);
      await eventHead(db, orgId, count);
    },
    backlog: (db, orgId, after, count) => events(db, orgId, DONE + after + 1, count, false, recent),
    batch: async (tx) => (await numberNextEvents(tx, BATCH)).numbered,
  },
  'numbering events and reading them': {
    async done(db, orgId, count) {
      await events(db, orgId, 1, count, true, recent);
      await eventHead(db, orgId, count);
    },
    backlog: (db, orgId, after, count) => events(db, orgId, DONE + after + 1, count, false, recent),
    batch: async (tx) => (await numberAndRead(tx, BATCH, true)).events.length,
  },
  'sealing the audit chain': {
    async done(db, orgId, count) {
      await entries(db, orgId, 1, count, true);
      await db.sql('insert into audit_heads values ($1, $2, $3, $4) on conflict do nothing', [
        orgId,
        count,
        CHAIN_START,
        NOW,
      ]);
    },
    backlog: (db, orgId, after, count) => entries(db, orgId, DONE + after + 1, count, false),
    async batch(tx) {
      let { position, hash } = await lockAuditHead(tx, CHAIN_START);
      const links = (await readUnsealed(tx, BATCH)).map((entry) => {
        position += 1;
        hash = hashLink(hash, position, entry);
        return { entryId: entry.entryId, position, hash };
      });
      await sealEntries(tx, links);
      return links.length;
    },
  },
  'removing old events': {
    async done(db, orgId, count) {
      await events(db, orgId, LONG + 1, count, true, recent);
      await eventHead(db, orgId, LONG + count);
    },
    backlog: (db, orgId, after, count) => events(db, orgId, after + 1, count, true, old),
    batch: (tx) => removeOldEvents(tx, new Date('2026-06-01T00:00:00Z'), BATCH),
  },
  'removing old attempts': {
    done: (db, orgId, count) => pushes(db, orgId, LONG + 1, count),
    backlog: (db, orgId, after, count) => pushes(db, orgId, after + 1, count),
    batch: (tx) => removeAttempts(tx, WEBHOOK, LONG, BATCH),
  },
  'removing old deliveries': {
    done: (db, orgId, count) => pushes(db, orgId, LONG + 1, count),
    backlog: (db, orgId, after, count) => pushes(db, orgId, after + 1, count),
    batch: (tx) => removeDeliveries(tx, WEBHOOK, LONG, BATCH),
  },
  'taking due mail': {
    done: (db, orgId, count) => mails(db, orgId, 'done', count, recent),
    backlog: (db, orgId, after, count) => mails(db, orgId, `due ${after} `, count, null),
    batch: async (tx) => ((await claimDueMail(tx, NOW, [])) === null ? 0 : BATCH),
  },
  'removing old mail': {
    done: (db, orgId, count) => mails(db, orgId, 'done', count, recent),
    backlog: (db, orgId, after, count) => mails(db, orgId, `old ${after} `, count, old),
    batch: (tx) => removeSettledMails(tx, new Date('2026-06-01T00:00:00Z'), BATCH),
  },
};

const INT8 = 20;
/** Numbers come as the service gets them. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: unknown) =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
};

const FILLED = ['events', 'audit_entries', 'mails', 'webhook_attempts', 'webhook_deliveries'];

/** The moment at which the statistics were last taken: planners believe it. */
const statistics = ['before there was a backlog', 'during a backlog'] as const;

describe('work that is done in batches', () => {
  let db: TestDatabase;
  let owner: pg.Client;
  let orgId: string;
  beforeEach(async () => {
    db = await openTestDatabase();
    orgId = (await newOrganization(db)).organization.orgId;
    owner = new pg.Client({ connectionString: db.url, options: '-c search_path=lotward,public', types });
    await owner.connect();
  });
  afterEach(async () => {
    await owner.end();
    await db.drop();
  });

  const takeStatistics = () => db.sql(`vacuum analyze ${FILLED.join(', ')}`);

  // Each task with one of them in turn; in the full tier with both.
  const plans: [string, (typeof statistics)[number]][] = Object.keys(tasks).flatMap((name, place) =>
    statistics
      .filter((_, n) => fullTier || n === place % statistics.length)
      .map((taken): [string, (typeof statistics)[number]] => [name, taken]),
  );
  it.each(plans)(
    '%s costs the same for a batch however much waits, with statistics taken %s',
    async (name, taken) => {
      const task = tasks[name];
      if (!task) throw new Error('no such task');
      // The statistics must stay as they are, and the pages of what is done as they were.
      for (const table of FILLED) await db.sql(`alter table ${table} set (autovacuum_enabled = off)`);
      await task.done(db, orgId, DONE);
      for (let i = 0; i < 3; i++)
        await task.done(db, (await newOrganization(db)).organization.orgId, DONE_ELSEWHERE);
      if (taken === 'before there was a backlog') await takeStatistics();
      const [role] = await db.sql<{ name: string }>("select name from service_roles where kind = 'worker'");
      const costs = async (planning: Planning) =>
        costOf(owner, role?.name ?? '', { orgId, now: NOW, planning }, async (tx) => {
          expect(await task.batch(tx)).toBe(BATCH);
        });
      await task.backlog(db, orgId, 0, SHORT);
      if (taken === 'during a backlog') await takeStatistics();
      const short = { custom: await costs('force_custom_plan'), generic: await costs('force_generic_plan') };
      await task.backlog(db, orgId, SHORT, LONG - SHORT);
      const long = { custom: await costs('force_custom_plan'), generic: await costs('force_generic_plan') };
      for (const planning of ['custom', 'generic'] as const) {
        expect(long[planning].rows, `rows, ${planning} plan`).toBeLessThan(2 * short[planning].rows + BATCH);
        expect(long[planning].pages, `pages, ${planning} plan`).toBeLessThan(
          2 * short[planning].pages + BATCH,
        );
      }
    },
    120_000,
  );
});
