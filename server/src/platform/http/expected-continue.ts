import type { IncomingMessage, Server } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Requests whose callers wait for `100 Continue` before they send the body. */
const waiting = new WeakSet<IncomingMessage>();

/** By default, Node sends `100 Continue` to every caller immediately. */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.add(request);
    server.emit('request', request, response);
  });
}

/** Asks a waiting caller for the body. A caller that was refused before sends none. */
export function sendContinue({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (waiting.delete(raw)) reply.raw.writeContinue();
}
