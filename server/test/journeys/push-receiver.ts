import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The arrivals of one event at one endpoint. */
interface Arrived {
  times: number;
  /** The rank of its first push among all pushes to the endpoint. */
  firstPlace: number;
  lastAtMs: number;
  digest: string;
}

/** The pushes an endpoint received. Only digests of bodies are kept, so that large runs fit. */
interface Endpoint {
  pushes: number;
  /** Not answered yet. */
  open: number;
  /** By event. */
  arrived: Map<string, Arrived>;
}

export const digestOf = (body: string | Buffer): string => createHash('sha1').update(body).digest('base64');

/** Local endpoints that record, outside of the service, which pushes reached them. */
export class PushReceiver {
  readonly endpoints = new Map<string, Endpoint>();
  pushes = 0;
  /** The same event again at the same endpoint. */
  repeated = 0;
  /** Events that arrived again with different bytes, which must never happen. */
  readonly contradictions: string[] = [];
  /** The delay of a response. */
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

  /** Pushes not answered yet. */
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
