import { setTimeout as pause } from 'node:timers/promises';
import type { IPublishPacket, MqttClient } from 'mqtt';

export interface SubscriberOptions {
  url: string;
  /** The broker keeps unacknowledged messages under this name, also while no client is connected. */
  clientId: string;
  topics: readonly string[];
  /** The message is acknowledged once this resolves. Errors count as transient: it is called again until it succeeds. */
  onMessage(topic: string, payload: Buffer): Promise<void>;
  onConnected(): void;
  onDisconnected(error: Error | null): void;
  onRetry(error: unknown): void;
}

export interface Subscriber {
  /** Finishes the current message. The broker redelivers unacknowledged ones to the next client that connects. */
  close(): Promise<void>;
}

const RECONNECT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_FIRST_MS = 100;
const RETRY_MAX_MS = 5_000;

/** Takes messages at QoS 1, one after the other, in a session that outlives the connection. */
export async function openSubscriber(options: SubscriberOptions): Promise<Subscriber> {
  // Loaded only if there is a broker.
  const { default: mqtt } = await import('mqtt');
  const closing = new AbortController();
  let atHand: Promise<void> = Promise.resolve();
  let lastError: Error | null = null;
  const client = mqtt.connect(options.url, {
    clientId: options.clientId,
    // The broker keeps the session with its subscriptions and queued messages.
    clean: false,
    protocolVersion: 4,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
  });
  client.handleMessage = (packet: IPublishPacket, done) => {
    atHand = handle(packet.topic, packet.payload as Buffer).then(
      (finished) => {
        if (finished) done();
      },
      (error: Error) => done(error),
    );
  };
  const handle = async (topic: string, payload: Buffer): Promise<boolean> => {
    for (let waitMs = RETRY_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
      if (closing.signal.aborted) return false;
      try {
        await options.onMessage(topic, payload);
        return true;
      } catch (error) {
        options.onRetry(error);
        await pause(waitMs, undefined, { signal: closing.signal }).catch(() => {});
      }
    }
  };
  client.on('connect', () => {
    lastError = null;
    subscribe(client, options);
  });
  client.on('error', (error) => {
    lastError = error;
  });
  client.on('close', () => {
    if (!closing.signal.aborted) options.onDisconnected(lastError);
  });
  return {
    async close() {
      closing.abort();
      await atHand;
      await client.endAsync(!client.connected);
    },
  };
}

const REFUSED = 0x80;

function subscribe(client: MqttClient, { topics, onConnected, onDisconnected }: SubscriberOptions): void {
  client.subscribe([...topics], { qos: 1 }, (error, granted) => {
    const refused = granted?.find((each) => each.qos >= REFUSED);
    if (error ?? refused)
      onDisconnected(error ?? new Error(`the broker refused the subscription to ${refused?.topic}`));
    else onConnected();
  });
}
