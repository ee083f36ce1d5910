import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import mqtt from 'mqtt';

export interface TestBroker {
  url: string;
  /** Who is connected just now. */
  clients(): string[];
  /** Resolves when the broker has taken the message into its keeping. */
  publish(topic: string, payload: string | object): Promise<void>;
  /** Cuts every connection, as a restart of the broker or a bad network does; sessions stay. */
  cut(): void;
  close(): Promise<void>;
}

/** A real broker on loopback, and a device that publishes at QoS 1. */
export async function openBroker(): Promise<TestBroker> {
  const aedes = await Aedes.createBroker();
  const sockets = new Set<Socket>();
  const connected = new Set<string>();
  aedes.on('clientReady', (client) => connected.add(client.id));
  aedes.on('clientDisconnect', (client) => connected.delete(client.id));
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    aedes.handle(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the broker has no port');
  const url = `mqtt://127.0.0.1:${address.port}`;
  const device = await mqtt.connectAsync(url, { clientId: 'device', reconnectPeriod: 50 });
  return {
    url,
    clients: () => [...connected].filter((id) => id !== 'device'),
    async publish(topic, payload) {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
      await device.publishAsync(topic, text, { qos: 1 });
    },
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      await device.endAsync(true);
      await new Promise<void>((done) => aedes.close(done));
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
