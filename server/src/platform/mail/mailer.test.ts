import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Mail, type Mailer, outboxMailer, RecipientsRejected, smtpMailer } from './index.js';

const from = { name: 'Lotward, the warehouse', address: 'no-reply@lotward.example' };
const mail: Mail = { id: 'eml_1', to: ['ann@acme.example'], subject: 'Low stock', text: 'Order gloves.\n' };

/** A message as it arrived, taken apart by hand: the composer must not be its own judge. */
function read(raw: string) {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const headers = lines.split('\r\n').map((line) => {
    const [, name = '', value = ''] = /^([!-9;-~]+): ?(.*)$/.exec(line) ?? [];
    return { name: name.toLowerCase(), value };
  });
  const header = (name: string) => headers.filter((each) => each.name === name).map(({ value }) => value);
  const body = raw.slice(end + 4);
  const encoding = header('content-transfer-encoding')[0];
  const bytes = Buffer.from(body, encoding === 'base64' ? 'base64' : 'latin1').toString('latin1');
  const unquoted = bytes.replaceAll(/=\r\n/g, '').replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => {
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  const text = Buffer.from(encoding === 'quoted-printable' ? unquoted : bytes, 'latin1').toString('utf8');
  return { names: headers.map(({ name }) => name), header, text: text.replaceAll('\r\n', '\n').trimEnd() };
}

/** The words of an encoded header (RFC 2047). */
const decoded = (value = '') =>
  value
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, word: string) => {
      if (kind.toUpperCase() === 'B') return Buffer.from(word, 'base64').toString('latin1');
      const quoted = word.replaceAll('_', ' ');
      return quoted.replaceAll(/=(..)/g, (__, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    });
const utf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString('utf8');

interface Received {
  raw: string;
  to: string[];
  secure: boolean;
  user: string | undefined;
}

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function openServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) => done(null, { user: `${auth.username}:${auth.password}` }),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        const raw = Buffer.concat(chunks).toString('latin1');
        received.push({ raw, to, secure: session.secure, user: session.user });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  opened.push({ close: () => new Promise<void>((closed) => server.close(closed)) });
  const { port } = server.server.address() as AddressInfo;
  return { received, port };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lotward-mail-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(folder, `outbox-${++folders}`);

interface Driver {
  mailer: Mailer;
  /** Everything that arrived, message by message. */
  arrived(): Promise<string[]>;
}

const drivers: Record<string, () => Promise<Driver>> = {
  async smtp() {
    const { port, received } = await openServer();
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from });
    return { mailer, arrived: async () => received.map(({ raw }) => raw) };
  },
  async outbox() {
    const directory = newFolder();
    const arrived = async () => {
      const names = await readdir(directory).catch(() => []);
      return Promise.all(names.map((name) => readFile(join(directory, name), 'latin1')));
    };
    return { mailer: outboxMailer({ directory, from }), arrived };
  },
};

describe.each(Object.entries(drivers))('a mail that goes by %s', (_name, open) => {
  async function send(changes: Partial<Mail> = {}) {
    const { mailer, arrived } = await open();
    await mailer.send({ ...mail, ...changes });
    const messages = await arrived();
    await mailer.close();
    expect(messages).toHaveLength(1);
    return read(messages[0] ?? '');
  }

  it('says whom it is from, for whom, about what, and that a machine wrote it', async () => {
    const { header, text } = await send();
    expect(header('from')).toEqual(['"Lotward, the warehouse" <no-reply@lotward.example>']);
    expect(header('to')).toEqual(['ann@acme.example']);
    expect(header('subject')).toEqual(['Low stock']);
    expect(header('auto-submitted')).toEqual(['auto-generated']);
    expect(Number.isNaN(Date.parse(header('date')[0] ?? ''))).toBe(false);
    expect(header('date')).toHaveLength(1);
    expect(text).toBe('Order gloves.');
  });

  it('has an identity that follows from its id alone', async () => {
    expect((await send()).header('message-id')).toEqual(['<eml_1@lotward.example>']);
    expect((await send({ subject: 'Again' })).header('message-id')).toEqual(['<eml_1@lotward.example>']);
  });

  it('carries every script, long lines, and lines that mean something to the protocol', async () => {
    const text = `批次 já émis\n.\n..\nFrom here\n${'x'.repeat(3_000)}\nend`;
    const received = await send({ subject: `批次 ${'é'.repeat(120)}`, text });
    expect(utf8(decoded(received.header('subject')[0]))).toBe(`批次 ${'é'.repeat(120)}`);
    expect(received.text).toBe(text);
  });

  it('goes to all its recipients', async () => {
    const { header } = await send({ to: ['ann@acme.example', 'bob@acme.example'] });
    expect(header('to')).toEqual(['ann@acme.example, bob@acme.example']);
  });

  it.each([
    '\r\nBcc: eve@evil.example',
    '\nBcc: eve@evil.example',
    '\rBcc: x',
    '\r\n\r\nA body',
    '\u2028Bcc: x',
  ])('has no header that came in with its subject: %j', async (tail) => {
    const { names, header, text } = await send({ subject: `Low${tail}` });
    expect(names).not.toContain('bcc');
    expect(decoded(header('subject')[0])).toMatch(/^Low \S/);
    expect(text).toBe('Order gloves.');
  });

  it.each([
    'ann@acme.example\r\nBcc: eve@evil.example',
    'ann@acme.example\nRCPT TO:<eve@evil.example>',
    'ann@acme.example, eve@evil.example',
    'Ann <eve@evil.example>',
    'ann@acme.example> NOTIFY=NEVER',
    'group: eve@evil.example;',
    '"a b"@acme.example',
    'nobody',
    '',
  ])('goes to nobody whose address is more or less than one: %j', async (address) => {
    const { mailer, arrived } = await open();
    await expect(mailer.send({ ...mail, to: [address] })).rejects.toThrow(RecipientsRejected);
    expect(await arrived()).toEqual([]);
    const both = mailer.send({ ...mail, to: [address, 'ann@acme.example'] });
    await expect(both).rejects.toMatchObject({ accepted: ['ann@acme.example'] });
    expect((await arrived()).map((raw) => read(raw).header('to'))).toEqual([['ann@acme.example']]);
  });

  it.each(['../eml_1', 'a/b', 'a>\r\nBcc: x', ''])('is refused when its id is %j', async (id) => {
    const { mailer, arrived } = await open();
    await expect(mailer.send({ ...mail, id })).rejects.toThrow('invalid mail id');
    expect(await arrived()).toEqual([]);
  });
});

describe('by smtp', () => {
  const refuse = (address: string): SMTPServerOptions => ({
    onRcptTo: (to, _session, done) =>
      done(
        to.address === address ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null,
      ),
  });

  it('recipients the server refuses are distinguished from those who got it', async () => {
    const { port, received } = await openServer(refuse('gone@acme.example'));
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from });
    const sending = mailer.send({ ...mail, to: ['gone@acme.example', 'ann@acme.example'] });
    await expect(sending).rejects.toMatchObject({
      name: 'RecipientsRejected',
      accepted: ['ann@acme.example'],
      message: expect.stringMatching(/^not accepted for gone@acme\.example: 550 .*no such mailbox/),
    });
    expect(received.map(({ to }) => to)).toEqual([['ann@acme.example']]);
    await expect(mailer.send({ ...mail, to: ['gone@acme.example'] })).rejects.toThrow('no such mailbox');
  });

  it('the user and the password of the address are used, special characters and all', async () => {
    const { port, received } = await openServer({ authOptional: false, allowInsecureAuth: true });
    await smtpMailer({ url: `smtp://us%40er:p%3Aw%2Fd@127.0.0.1:${port}`, from }).send(mail);
    expect(received.map(({ user }) => user)).toEqual(['us@er:p:w/d']);
  });

  it('the connection is encrypted where the server offers it, or from the start', async () => {
    const offering = await openServer({ disabledCommands: [] });
    await smtpMailer({ url: `smtp://127.0.0.1:${offering.port}?tls.rejectUnauthorized=false`, from }).send(
      mail,
    );
    const secure = await openServer({ secure: true });
    await smtpMailer({ url: `smtps://127.0.0.1:${secure.port}?tls.rejectUnauthorized=false`, from }).send(
      mail,
    );
    expect([...offering.received, ...secure.received].map((each) => each.secure)).toEqual([true, true]);
  });

  it('a certificate nobody vouches for ends it', async () => {
    const { port, received } = await openServer({ disabledCommands: [] });
    await expect(smtpMailer({ url: `smtp://127.0.0.1:${port}`, from }).send(mail)).rejects.toThrow(
      /certificate/,
    );
    expect(received).toEqual([]);
  });

  it('a password is not sent in the clear to another machine', async () => {
    const users: unknown[] = [];
    const { port } = await openServer({
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) => {
        users.push(auth.username);
        done(null, { user: auth.username });
      },
    });
    // A name for this machine that is none of those known to mean it.
    const elsewhere = smtpMailer({ url: `smtp://user:word@[::ffff:127.0.0.1]:${port}`, from });
    await expect(elsewhere.send(mail)).rejects.toThrow(/STARTTLS/);
    expect(users).toEqual([]);
  });

  it('a server that takes for ever is left', async () => {
    const silent = createServer((socket) => socket.on('error', () => {}));
    await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
    opened.push({ close: () => new Promise<void>((closed) => silent.close(() => closed())) });
    const { port } = silent.address() as AddressInfo;
    const mailer = smtpMailer({ url: `smtp://127.0.0.1:${port}`, from, sendMs: 50 });
    await expect(mailer.send(mail)).rejects.toThrow('the mail server took too long');
  });
});

describe('in the outbox', () => {
  it('a file is there whole or not at all', async () => {
    const directory = newFolder();
    const text = `${'a line of the mail\n'.repeat(300_000)}the end`;
    let done = false;
    const sending = outboxMailer({ directory, from })
      .send({ ...mail, text })
      .finally(() => {
        done = true;
      });
    const sizes = new Set<number>();
    while (!done) {
      const found = await stat(join(directory, 'eml_1.eml')).catch(() => null);
      if (found) sizes.add(found.size);
    }
    await sending;
    sizes.add((await stat(join(directory, 'eml_1.eml'))).size);
    expect(sizes.size).toBe(1);
    expect(read(await readFile(join(directory, 'eml_1.eml'), 'latin1')).text).toMatch(/the end$/);
  });

  it('the same mail sent again, or twice at once, is one file and nothing beside it', async () => {
    const directory = newFolder();
    const mailer = outboxMailer({ directory, from });
    await Promise.all([mailer.send(mail), mailer.send(mail), mailer.send(mail)]);
    await mailer.send({ ...mail, subject: 'Again' });
    expect(await readdir(directory)).toEqual(['eml_1.eml']);
    expect(read(await readFile(join(directory, 'eml_1.eml'), 'latin1')).header('subject')).toEqual(['Again']);
  });

  it('a mail that cannot be written is a failure', async () => {
    const directory = join(folder, 'not-a-folder');
    await outboxMailer({ directory: folder, from }).send({ ...mail, id: 'not-a-folder' });
    await expect(outboxMailer({ directory: `${directory}.eml`, from }).send(mail)).rejects.toThrow();
  });
});
