import type { AddressInfo, Server, Socket } from 'node:net';
import { systemClock } from '../clock/index.js';
import { addressPolicy } from './address-policy.js';
import type { LookUp } from './look-up.js';
import { openNameResolver } from './name-resolver.js';
import { openSender, type Push, type Sender, type SenderOptions } from './sender.js';

/** A real server on the loopback interface that counts connections. */
export interface Loopback {
  readonly port: number;
  readonly connections: number;
  readonly openConnections: number;
  url(path?: string): string;
  close(): Promise<void>;
}

export async function onLoopback(server: Server, host = '127.0.0.1'): Promise<Loopback> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections++;
    open.add(socket);
    // Tests break connections on purpose.
    socket.on('error', () => {}).once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    get connections() {
      return connections;
    },
    get openConnections() {
      return open.size;
    },
    url: (path = '/hook') => `http://127.0.0.1:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

/** Resolves names by the current content of the table, and all others to loopback. */
export const lookUpIn =
  (table: Readonly<Record<string, readonly string[]>>): LookUp =>
  (host, callback) => {
    const addresses = table[host] ?? ['127.0.0.1'];
    process.nextTick(
      callback,
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

/** A sender that may call loopback addresses. */
export const senderToLoopback = (options: Partial<SenderOptions> = {}): Sender =>
  openSender({
    policy: addressPolicy(['127.0.0.0/8', '::1']),
    timeoutMs: 5000,
    clock: systemClock,
    lookUp: openNameResolver().lookUp,
    ...options,
  });

export const pushTo = (url: string, body = '{"event":1}'): Push => ({
  caller: 'org',
  url,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(body),
});
