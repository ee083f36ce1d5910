import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** All that came of one event to one endpoint. */
interface Arrived {
  times: number;
  /** The how manieth push to this endpoint was its first. */
  firstPlace: number;
  lastAtMs: number;
  digest: string;
}

/** What an endpoint saw; large runs fit, as bodies are kept as digests only. */
interface Endpoint {
  pushes: number;
  /** Waiting for their answer now. */
  open: number;
  /** By event. */
  arrived: Map<string, Arrived>;
}

export const digestOf = (body: string | Buffer): string => createHash('sha1').update(body).digest('base64');

/** The partners of a run: endpoints on this machine that keep, outside of the service, what reached them. */
export class PushReceiver {
  readonly endpoints = new Map<string, Endpoint>();
  pushes = 0;
  /** The same event again at the same endpoint. */
  repeated = 0;
  /** What may never happen: an event that comes again with other bytes. */
  readonly contradictions: string[] = [];
  /** How long a push waits for its answer. */
  answerAfterMs: (path: string) => number = () => 0;
  readonly #server = createServer((request, response) => void this.#receive(request, response));

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Pushes that wait for their answer now. */
  get open(): number {
    return [...this.endpoints.values()].reduce((sum, endpoint) => sum + endpoint.open, 0);
  }

  at(path: string): Endpoint {
    const known = this.endpoints.get(path) ?? { pushes: 0, open: 0, arrived: new Map() };
    this.endpoints.set(path, known);
    return known;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const endpoint = this.at(path);
    endpoint.open++;
    response.once('close', () => {
      endpoint.open--;
    });
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    this.#note(path, String(request.headers['webhook-id']), digestOf(body));
    setTimeout(() => response.writeHead(204).end(), this.answerAfterMs(path));
  }

  #note(path: string, eventId: string, digest: string): void {
    const endpoint = this.at(path);
    const firstPlace = ++endpoint.pushes;
    this.pushes++;
    const known = endpoint.arrived.get(eventId);
    const lastAtMs = performance.now();
    if (!known) {
      endpoint.arrived.set(eventId, { times: 1, firstPlace, lastAtMs, digest });
      return;
    }
    this.repeated++;
    known.times++;
    known.lastAtMs = lastAtMs;
    if (known.digest !== digest) this.contradictions.push(`${path} ${eventId}`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
