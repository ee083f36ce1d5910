import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newOrganization, openTestDatabase, sized, type TestDatabase } from '../../test/harness/index.js';
import { statement, type Tx, transact } from '../platform/database/index.js';
import { type Mailer, outboxMailer, smtpMailer } from '../platform/mail/index.js';
import { systemPrincipal } from '../platform/principal.js';
import { type NewMail, openMailing, queueMail, removeOldMails, sendDueMails } from './index.js';

const MANY = sized(200, 1_000);
const MINUTE = 60_000;
const DAY = 86_400_000;
const from = { name: 'Lotward', address: 'no-reply@lotward.example' };

let db: TestDatabase;
let ours: string;
let theirs: string;
beforeAll(async () => {
  db = await openTestDatabase();
  ours = (await newOrganization(db)).organization.orgId;
  theirs = (await newOrganization(db)).organization.orgId;
});
afterAll(() => db.close());

/** A mail server whose port stays the same while it is away. */
class MailServer {
  readonly received: { to: string[]; messageId: string }[] = [];
  readonly refused = new Set<string>();
  /** Runs before the server says what it thinks of a message; what it throws is the answer. */
  onMessage: () => void | Promise<void> = () => {};
  #server: SMTPServer | undefined;
  #port = 0;

  async up(): Promise<void> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: ({ address }, _session, done) =>
        done(this.refused.has(address) ? Object.assign(new Error('unknown'), { responseCode: 550 }) : null),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', async () => {
          try {
            await this.onMessage();
          } catch (error) {
            return done(error as Error);
          }
          const messageId = /^Message-ID: (.*)$/im.exec(Buffer.concat(chunks).toString())?.[1]?.trim();
          const to = session.envelope.rcptTo.map(({ address }) => address);
          this.received.push({ to, messageId: messageId ?? '' });
          done();
        });
      },
    });
    server.on('error', () => {});
    await new Promise<void>((listening) => server.listen(this.#port, '127.0.0.1', listening));
    this.#port = (server.server.address() as AddressInfo).port;
    this.#server = server;
  }

  async down(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise<void>((closed) => server.close(() => closed()));
  }

  mailer = () => smtpMailer({ url: `smtp://127.0.0.1:${this.#port}`, from });
}

let server: MailServer;
let mailer: Mailer;
beforeEach(async () => {
  await db.sql('delete from mails');
  server = new MailServer();
  await server.up();
  mailer = server.mailer();
});
afterEach(() => server.down());

const asApp = <T>(orgId: string, work: (tx: Tx) => Promise<T>) =>
  transact(db.database, systemPrincipal(orgId, 'operator@test.example'), work);
const asWorker = <T>(orgId: string, work: (tx: Tx) => Promise<T>) =>
  transact(db.database, systemPrincipal(orgId, 'worker@test.example'), work, { as: 'worker' });

let folder: string;
let outboxes = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotward-mailing-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
function openOutbox() {
  const directory = join(folder, String(++outboxes));
  return { directory, outbox: outboxMailer({ directory, from }) };
}

let keys = 0;
const newMail = (given: Partial<NewMail> = {}): NewMail => ({
  dedupeKey: `key-${++keys}`,
  to: ['ann@acme.example'],
  subject: 'Low stock',
  text: 'Order gloves.',
  ...given,
});
const queue = (given: Partial<NewMail> = {}, orgId = ours) =>
  asApp(orgId, (tx) => queueMail(tx, newMail(given)));

interface Row {
  org_id: string;
  mail_id: string;
  due_at: Date | null;
  sent_at: Date | null;
  failed_at: Date | null;
  attempts: number;
  last_error: string | null;
}
const rows = () => db.sql<Row>('select * from mails order by org_id, mail_id');
async function onlyRow(): Promise<Row> {
  const [row, ...more] = await rows();
  if (!row || more.length > 0) throw new Error(`${more.length} mails more than one`);
  return row;
}

/** Lets a server say nothing about the next message until the test says what. */
function silence(silent: MailServer) {
  let answer: (refusal?: Error) => void = () => {};
  const reached = new Promise<void>((reach) => {
    silent.onMessage = () => {
      reach();
      return new Promise<void>((accept, refuse) => {
        answer = (refusal) => (refusal ? refuse(refusal) : accept());
      });
    };
  });
  return { reached, answer: (refusal?: Error) => answer(refusal) };
}

describe('a mail is queued', () => {
  it.each([
    ['request', asApp],
    ['background task', asWorker],
  ])('with its change or not at all, by a %s', async (_who, run) => {
    const undone = run(ours, async (tx) => {
      await queueMail(tx, newMail());
      throw new Error('the change was refused');
    });
    await expect(undone).rejects.toThrow('the change was refused');
    expect(await rows()).toEqual([]);
    await run(ours, (tx) => queueMail(tx, newMail()));
    expect(await onlyRow()).toMatchObject({ org_id: ours, due_at: db.clock.now(), attempts: 0 });
  });

  it('once for each key of an organization, also by two at once, also after it was sent', async () => {
    const again = newMail({ dedupeKey: 'webhook_disabled:1' });
    await Promise.all([1, 2, 3].map(() => asApp(ours, (tx) => queueMail(tx, again))));
    await asWorker(ours, (tx) => queueMail(tx, { ...again, subject: 'Other' }));
    expect(await sendDueMails(db, mailer)).toEqual({ sent: 1, failures: [] });
    await asApp(ours, (tx) => queueMail(tx, again));
    expect((await onlyRow()).sent_at).toEqual(db.clock.now());
    await asApp(theirs, (tx) => queueMail(tx, again));
    expect(await rows()).toHaveLength(2);
  });

  it('for nobody: nothing happens', async () => {
    await queue({ to: [] });
    expect(await rows()).toEqual([]);
  });

  it('with a subject of one line, however it was composed, and each recipient once', async () => {
    await queue({ subject: 'Low\r\nBcc: eve@evil.example', to: ['ann@acme.example', 'ann@acme.example'] });
    expect(await onlyRow()).toMatchObject({
      subject: 'Low Bcc: eve@evil.example',
      recipients: ['ann@acme.example'],
    });
  });
});

describe('a mail is sent once', () => {
  it('with two workers at once', async () => {
    for (let i = 0; i < 20; i++) {
      await queue();
      await queue({}, theirs);
    }
    const other = await db.another();
    const outcomes = await Promise.all([
      sendDueMails(db, mailer),
      sendDueMails({ ...db, database: other }, server.mailer()),
      sendDueMails(db, mailer),
    ]);
    expect(outcomes.flatMap(({ failures }) => failures)).toEqual([]);
    expect(outcomes.map(({ sent }) => sent).reduce((a, b) => a + b)).toBe(40);
    const ids = (await rows()).map((row) => `<${row.mail_id}@lotward.example>`);
    expect(server.received.map(({ messageId }) => messageId).sort()).toEqual(ids.sort());
    expect((await rows()).every(({ sent_at, due_at }) => sent_at && !due_at)).toBe(true);
  });

  it('when the server was away: tried again by schedule, delivered when it is back', async () => {
    await queue();
    await server.down();
    const [failure] = (await sendDueMails(db, mailer)).failures;
    const { mail_id: mailId } = await onlyRow();
    expect(failure).toEqual({
      orgId: ours,
      mailId,
      attempts: 1,
      error: expect.stringContaining('ECONNREFUSED'),
      nextAttemptAt: new Date(db.clock.now().getTime() + MINUTE),
    });
    db.clock.advance(MINUTE - 1);
    expect(await sendDueMails(db, mailer)).toEqual({ sent: 0, failures: [] });
    db.clock.advance(1);
    expect((await sendDueMails(db, mailer)).failures).toHaveLength(1);
    await server.up();
    db.clock.advance(5 * MINUTE - 1);
    expect(await sendDueMails(db, mailer)).toEqual({ sent: 0, failures: [] });
    db.clock.advance(1);
    expect(await sendDueMails(db, mailer)).toEqual({ sent: 1, failures: [] });
    db.clock.advance(DAY);
    expect(await sendDueMails(db, mailer)).toEqual({ sent: 0, failures: [] });
    expect(server.received).toEqual([{ to: ['ann@acme.example'], messageId: `<${mailId}@lotward.example>` }]);
    expect(await onlyRow()).toMatchObject({ attempts: 3, last_error: null, failed_at: null });
  });

  describe('and when the worker that took it', () => {
    let other: MailServer;
    beforeEach(async () => {
      other = new MailServer();
      await other.up();
    });
    afterEach(() => other.down());

    it('died, another sends it a minute later', async () => {
      await queue();
      const { reached, answer } = silence(other);
      const dead = sendDueMails(db, other.mailer());
      await reached;
      db.clock.advance(MINUTE - 1);
      expect(await sendDueMails(db, mailer)).toEqual({ sent: 0, failures: [] });
      db.clock.advance(1);
      expect(await sendDueMails(db, mailer)).toEqual({ sent: 1, failures: [] });
      expect(server.received).toHaveLength(1);
      answer(new Error('nobody listens any more'));
      await dead;
    });

    it('was only slow, it does not put back what another one took over', async () => {
      await queue();
      const first = silence(other);
      const slow = sendDueMails(db, other.mailer());
      await first.reached;
      db.clock.advance(MINUTE);
      const second = silence(server);
      const taken = sendDueMails(db, mailer);
      await second.reached;
      const { due_at: claimedUntil } = await onlyRow();
      first.answer(new Error('too late'));
      expect((await slow).failures).toHaveLength(1);
      expect(await onlyRow()).toMatchObject({ due_at: claimedUntil, last_error: null });
      second.answer();
      expect((await taken).sent).toBe(1);
      expect((await onlyRow()).sent_at).toEqual(db.clock.now());
    });
  });

  it('to those who can have it, while the others are tried again', async () => {
    await queue({ to: ['gone@acme.example', 'ann@acme.example', 'bob@acme.example'] });
    server.refused.add('gone@acme.example');
    expect((await sendDueMails(db, mailer)).failures).toMatchObject([
      { error: expect.stringMatching(/gone@acme\.example: 550/) },
    ]);
    db.clock.advance(MINUTE);
    expect((await sendDueMails(db, mailer)).failures).toHaveLength(1);
    server.refused.clear();
    db.clock.advance(5 * MINUTE);
    expect((await sendDueMails(db, mailer)).sent).toBe(1);
    expect(server.received.map(({ to }) => to)).toEqual([
      ['ann@acme.example', 'bob@acme.example'],
      ['gone@acme.example'],
    ]);
  });

  it('into the outbox, as one whole file, where there is no server', async () => {
    await queue();
    const { outbox, directory } = openOutbox();
    expect(await sendDueMails(db, outbox)).toEqual({ sent: 1, failures: [] });
    // Taken once more, as after a worker that died before it could say that it was sent.
    await db.sql(`update mails set sent_at = null, delivered_to = '{}', due_at = $1`, [db.clock.now()]);
    expect(await sendDueMails(db, outbox)).toEqual({ sent: 1, failures: [] });
    const { mail_id: mailId } = await onlyRow();
    expect(await readdir(directory)).toEqual([`${mailId}.eml`]);
    expect(await readFile(join(directory, `${mailId}.eml`), 'utf8')).toMatch(/\r\n\r\nOrder gloves\.\r\n$/);
  });
});

describe('a mail nobody takes', () => {
  it('is tried after 1, 5, 15 and 60 minutes, then hourly for three days, and then fails permanently', async () => {
    await queue();
    server.refused.add('ann@acme.example');
    const delays: number[] = [];
    for (;;) {
      // To be away is quicker than to refuse: only the first and the last attempts meet the server.
      if (delays.length === 2) await server.down();
      if (delays.length === 75) await server.up();
      const { sent, failures } = await sendDueMails(db, mailer);
      expect([sent, failures.length]).toEqual([0, 1]);
      const next = failures[0]?.nextAttemptAt;
      if (!next) break;
      const delay = next.getTime() - db.clock.now().getTime();
      delays.push(delay / MINUTE);
      db.clock.advance(delay);
    }
    expect(delays).toEqual([1, 5, 15, 60, ...Array.from({ length: 72 }, () => 60)]);
    expect(await onlyRow()).toMatchObject({
      due_at: null,
      sent_at: null,
      failed_at: db.clock.now(),
      attempts: 77,
      last_error: expect.stringContaining('550'),
    });
    server.refused.clear();
    db.clock.advance(DAY);
    expect(await sendDueMails(db, mailer)).toEqual({ sent: 0, failures: [] });
  });

  it('holds up no other', async () => {
    server.refused.add('gone@acme.example');
    await queue({ to: ['gone@acme.example'] });
    await queue();
    await queue({}, theirs);
    const { sent, failures } = await sendDueMails(db, mailer);
    expect([sent, failures.length]).toEqual([2, 1]);
  });
});

describe('mail of many', () => {
  const openOurs = (given: Mailer = mailer, slowAfterMs?: number) => {
    const mailing = openMailing({
      ...db,
      mailer: given,
      ...(slowAfterMs === undefined ? {} : { slowAfterMs }),
      onSent: () => {},
      onFailure: () => {},
      onError: (error) => {
        throw error;
      },
    });
    return mailing;
  };
  /** Notes which organization each mail is of, and keeps those that match until they are let go. */
  function watchedMailer(keeps: (to: string) => boolean = () => false) {
    const begun: string[] = [];
    let atOnce = 0;
    let atOnceMax = 0;
    let letGo = () => {};
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const watched: Mailer = {
      async send({ to }) {
        begun.push(to[0] ?? '');
        atOnceMax = Math.max(atOnceMax, ++atOnce);
        if (keeps(to[0] ?? '')) await released;
        atOnce--;
      },
      close: async () => {},
    };
    return { watched, begun, letGo, atOnceMax: () => atOnceMax };
  }

  it('is taken in turn by organization: hundreds of one do not delay the one of another', async () => {
    await asApp(ours, async (tx) => {
      for (let i = 0; i < MANY; i++) await queueMail(tx, newMail({ to: ['many@noisy.example'] }));
    });
    await queue({ to: ['one@quiet.example'] }, theirs);
    const { watched, begun, atOnceMax } = watchedMailer();
    await sendDueMails(db, watched);
    expect(begun).toHaveLength(MANY + 1);
    expect(begun.indexOf('one@quiet.example')).toBeLessThan(10);
    expect(atOnceMax()).toBeLessThanOrEqual(4);
  });

  it('that is queued while others take long is sent beside them, also after that of an organization has all its places', async () => {
    for (let i = 0; i < 10; i++) await queue({ to: [`a${i}@slow.example`] });
    const { watched, begun, letGo } = watchedMailer((to) => to.endsWith('@slow.example'));
    const mailing = openOurs(watched, Number.POSITIVE_INFINITY);
    await mailing.look();
    await expect.poll(() => begun.length).toBe(3);
    await queue({ to: ['bob@quick.example'] }, theirs);
    await mailing.look();
    await expect.poll(() => begun).toContain('bob@quick.example');
    expect(begun).toHaveLength(4);
    letGo();
    await mailing.settled();
    expect(begun).toHaveLength(11);
  });

  it('for a slow domain leaves places to other domains, of the same organization too', async () => {
    for (let i = 0; i < 10; i++) await queue({ to: [`a${i}@slow.example`] });
    await queue({ to: ['x@SLOW.example', 'y@quick.example'] });
    await queue({ to: ['bob@quick.example'] });
    for (let i = 0; i < 10; i++) await queue({ to: [`b${i}@slow.example`] }, theirs);
    await queue({ to: ['eve@other.example'] }, theirs);
    const { watched, begun, letGo } = watchedMailer((to) => /@slow\.example$/i.test(to));
    const mailing = openOurs(watched, 0);
    await mailing.look();
    await expect
      .poll(() => begun)
      .toEqual(expect.arrayContaining(['bob@quick.example', 'eve@other.example']));
    // The other organization may claim one in the same moment.
    expect(begun.filter((to) => /slow/i.test(to)).length).toBeLessThanOrEqual(3);
    letGo();
    await mailing.settled();
    await sendDueMails(db, watched);
    expect(begun).toHaveLength(23);
  });

  it('of more organizations than there are places reaches all of them', async () => {
    const orgIds: string[] = [];
    for (let i = 0; i < 55; i++) {
      const { orgId } = (await newOrganization(db)).organization;
      orgIds.push(orgId);
      await asApp(orgId, async (tx) => {
        for (let n = 0; n < 3; n++) await queueMail(tx, newMail({ to: [`${n}@${orgId}.example`] }));
      });
    }
    const { watched, begun } = watchedMailer();
    await sendDueMails(db, watched);
    const firsts = new Set(begun.slice(0, 110).map((to) => to.split('@')[1]));
    expect(firsts.size).toBe(55);
    expect(begun).toHaveLength(165);
  });

  it('is not begun any more once it is stopped, and the one at hand is finished', async () => {
    await queue();
    await queue();
    const mailing = openOurs();
    const stopped = new Promise<void>((resolve) => {
      server.onMessage = () => resolve(mailing.stop());
    });
    // One after the other, so that the second is not begun beside the first.
    const claimed = await db.sql<{ mail_id: string }>(
      `update mails set due_at = $1 where mail_id = (select max(mail_id) from mails) returning mail_id`,
      [new Date(db.clock.now().getTime() + 1)],
    );
    await mailing.look();
    await mailing.settled();
    db.clock.advance(1);
    await mailing.look();
    await Promise.all([mailing.settled(), stopped]);
    expect(await db.sql('select 1 from mails where sent_at is not null')).toHaveLength(1);
    const [left] = (await rows()).filter(({ due_at }) => due_at);
    expect([left?.mail_id, left?.attempts]).toEqual([claimed[0]?.mail_id, 0]);
  });
});

describe('old mails', () => {
  it('are removed 90 days after they were sent or failed permanently; what is due stays however old', async () => {
    await queue({ dedupeKey: 'sent' });
    await queue({ dedupeKey: 'failed' }, theirs);
    await queue({ dedupeKey: 'due' });
    const settle = (column: string, key: string) =>
      db.sql(`update mails set due_at = null, last_error = 'x', ${column} = $1 where dedupe_key = $2`, [
        db.clock.now(),
        key,
      ]);
    await settle('sent_at', 'sent');
    await settle('failed_at', 'failed');
    db.clock.advance(90 * DAY);
    expect(await removeOldMails(db.database)).toBe(0);
    db.clock.advance(1);
    expect(await removeOldMails(db.database)).toBe(2);
    expect(await onlyRow()).toMatchObject({ dedupe_key: 'due' });
  });
});

it.each(['app', 'worker'] as const)('a mail begins unsent, also one that the %s queues', async (as) => {
  const queue = (attempts: number, deliveredTo: string[]) =>
    transact(
      db.database,
      systemPrincipal(ours, 'operator@test.example'),
      (tx) =>
        tx.query(
          statement(`insert into mails (org_id, mail_id, dedupe_key, recipients, subject, body, created_at, due_at, attempts, delivered_to)
            values ($1, 'MAIL-1', 'unsent', '{a@b.example}', 'S', 'B', now(), now(), $2, $3)`),
          [ours, attempts, deliveredTo],
        ),
      { as },
    );
  await expect(queue(1, [])).rejects.toMatchObject({ code: '42501' });
  await expect(queue(0, ['a@b.example'])).rejects.toMatchObject({ code: '42501' });
});
