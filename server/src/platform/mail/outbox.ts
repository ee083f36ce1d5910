import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { type Mailer, RecipientsRejected, type Sender } from './mailer.js';
import { composeMessage, NO_ADDRESS } from './message.js';

/** Writes mails to a folder as `.eml` files, for installations without a mail server. */
export function outboxMailer({ directory, from }: { directory: string; from: Sender }): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(mail) {
      const { message, malformed } = composeMessage(mail, from);
      const { message: content } = await composer.sendMail(message);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writeWhole(directory, `${mail.id}.eml`, content as Buffer);
      const accepted = mail.to.filter((address) => !malformed.includes(address));
      if (malformed.length > 0) throw new RecipientsRejected(malformed, accepted, NO_ADDRESS);
    },
    async close() {
      composer.close();
    },
  };
}

/** Writes to a temporary name first, so that a reader of the folder sees the whole file or none. */
async function writeWhole(directory: string, name: string, content: Buffer): Promise<void> {
  const passing = join(directory, `.${name}.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(passing, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(passing, join(directory, name));
  } catch (error) {
    await rm(passing, { force: true });
    throw error;
  }
}
