/*
 * Receives pushes with Express.
 *
 *   LOTWARD_WEBHOOK_SECRET=whsec_… PORT=4000 node examples/webhook-express.mjs
 */
import { verifyWebhook, WebhookRefused } from '@lotward/client';
import express from 'express';
import { createInbox, describe } from './inbox.mjs';

const { LOTWARD_WEBHOOK_SECRET: secret = '', PORT = '4000' } = process.env;
const take = createInbox(async (event) => console.log(describe(event)));

const app = express();
// The bytes as they came: a parsed and printed body has another signature.
app.post('/hooks', express.raw({ type: 'application/json', limit: '1mb' }), async (request, response) => {
  try {
    await take(await verifyWebhook(request.headers, request.body, secret));
    response.sendStatus(204);
  } catch (error) {
    response.sendStatus(error instanceof WebhookRefused ? 401 : 500);
  }
});
const server = app.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`listening on ${server.address().port}`),
);
