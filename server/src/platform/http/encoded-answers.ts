import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ContentEncoding, compress, compressWell, encodingFor } from './content-encoding.js';
import { etagOf, isKnown } from './entity-tag.js';

const JSON_TYPE = 'application/json; charset=utf-8';

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * Sends a handler's result in an encoding that the caller accepts. `tagged`: with a tag by which the caller can ask whether
 * it has changed. The tag is that of the uncompressed body, so that an unchanged one is not compressed.
 */
export async function sendEncoded(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  { tagged }: { tagged: boolean },
): Promise<unknown> {
  const body = bytesOf(reply, payload);
  const encoding = encodingFor(request.headers['accept-encoding'], body.length);
  if (tagged && isUnchanged(request, reply, etagOf(body, encoding))) return reply.code(304).send();
  if (!reply.hasHeader('content-type')) reply.type(JSON_TYPE);
  if (encoding === null) return body;
  noteEncoding(reply, encoding);
  return compress(body, encoding);
}

/** For handlers of responses without a tag: unchanged for callers that accept no encoding. */
export const encodingAnswers =
  (handler: Handler): Handler =>
  async (request, reply) => {
    const payload = await handler(request, reply);
    return request.headers['accept-encoding'] === undefined
      ? payload
      : sendEncoded(request, reply, payload, { tagged: false });
  };

function bytesOf(reply: FastifyReply, payload: unknown): Buffer {
  if (Buffer.isBuffer(payload)) return payload;
  return Buffer.from(typeof payload === 'string' ? payload : (reply.serialize(payload) as string));
}

/** Sends the tag with the response. Returns whether the caller already has this content. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  addVary(reply);
  return isKnown(request.headers['if-none-match'], etag);
}

function noteEncoding(reply: FastifyReply, encoding: ContentEncoding): void {
  reply.header('content-encoding', encoding);
  addVary(reply);
}

/** Another plug-in may already have declared that the response depends on the origin. */
function addVary(reply: FastifyReply): void {
  const before = String(reply.getHeader('vary') ?? '');
  if (!/\baccept-encoding\b/i.test(before))
    reply.header('vary', before === '' ? 'accept-encoding' : `${before}, accept-encoding`);
}

/** A document that does not change while the process runs. Each encoding is produced once, on first request. */
export class StaticDocument {
  readonly #body: Buffer;
  readonly #type: string;
  readonly #etags = new Map<ContentEncoding | null, string>();
  readonly #encoded = new Map<ContentEncoding, Promise<Buffer>>();

  constructor(body: string | Buffer, type: string) {
    this.#body = Buffer.from(body);
    this.#type = type;
  }

  /** Sends status 304, or the status already set. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const accepted = isText(this.#type) ? request.headers['accept-encoding'] : undefined;
    const encoding = encodingFor(accepted, this.#body.length);
    const etag = this.#etags.get(encoding) ?? etagOf(this.#body, encoding);
    this.#etags.set(encoding, etag);
    if (isUnchanged(request, reply, etag) && reply.statusCode === 200) return reply.code(304).send();
    reply.type(this.#type);
    if (encoding === null) return reply.send(this.#body);
    noteEncoding(reply, encoding);
    const encoded = this.#encoded.get(encoding) ?? compressWell(this.#body, encoding);
    this.#encoded.set(encoding, encoded);
    return reply.send(await encoded);
  }
}

/** Images other than SVG are already compressed. */
const isText = (type: string): boolean => /^text\/|json|xml/.test(type);
