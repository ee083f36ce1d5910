/*
 * Receives pushes with Fastify.
 *
 *   LOTWARD_WEBHOOK_SECRET=whsec_… PORT=4000 node examples/webhook-fastify.mjs
 */
import { verifyWebhook, WebhookRefused } from '@lotward/client';
import Fastify from 'fastify';
import { createInbox, describe } from './inbox.mjs';

const { LOTWARD_WEBHOOK_SECRET: secret = '', PORT = '4000' } = process.env;
const take = createInbox(async (event) => console.log(describe(event)));

const app = Fastify();
// The bytes as they came: a parsed and printed body has another signature.
app.removeContentTypeParser('application/json');
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
);
app.post('/hooks', async (request, reply) => {
  try {
    await take(await verifyWebhook(request.headers, request.body, secret));
    return reply.code(204).send();
  } catch (error) {
    return reply.code(error instanceof WebhookRefused ? 401 : 500).send();
  }
});
await app.listen({ port: Number(PORT), host: '127.0.0.1' });
console.log(`listening on ${app.server.address().port}`);
