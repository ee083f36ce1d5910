import { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { type Mailer, RecipientsRejected, type Sender } from './mailer.js';
import { composeMessage, NO_ADDRESS } from './message.js';

interface SmtpOptions {
  /** smtp://user:pass@host:587, or smtps:// for TLS from the first byte. */
  url: string;
  from: Sender;
  /** Time limit for one mail, from connecting to the server's last response. */
  sendMs?: number;
}

const STEP_MS = 10_000;
const SEND_MS = 30_000;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Sends each mail over its own connection: mails are few, so no connection is kept open. */
export function smtpMailer({ url, from, sendMs = SEND_MS }: SmtpOptions): Mailer {
  const { username, hostname } = new URL(url);
  return {
    async send(mail) {
      const { message, malformed } = composeMessage(mail, from);
      const socket = new Socket();
      // The library's time limits restart with each response, so a server that trickles could hold a mail forever. The socket
      // is destroyed so that the server does not deliver a mail that was reported as failed.
      const limit = setTimeout(() => socket.destroy(new Error('the mail server took too long')), sendMs);
      try {
        const { accepted, rejected, rejectedErrors } = await createTransport({
          url,
          socket,
          connectionTimeout: STEP_MS,
          greetingTimeout: STEP_MS,
          socketTimeout: STEP_MS,
          dnsTimeout: STEP_MS,
          // STARTTLS is used where it is offered; a password is never sent without it.
          requireTLS: username !== '' && !LOOPBACK.test(hostname),
        }).sendMail(message);
        const missed = [...malformed, ...rejected];
        const why = rejectedErrors?.[0]?.response ?? NO_ADDRESS;
        if (missed.length > 0) throw new RecipientsRejected(missed, accepted, String(why));
      } finally {
        clearTimeout(limit);
      }
    },
    async close() {},
  };
}
