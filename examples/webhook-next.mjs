/*
 * Receives pushes in a route handler of Next.js: save it as app/api/lotward/route.js. It is made of the Fetch API alone,
 * so it is the same for Remix, SvelteKit, Hono, Deno, Bun and Cloudflare Workers.
 */
import { verifyWebhook, WebhookRefused } from '@lotward/client';
import { createInbox, describe } from './inbox.mjs';

const take = createInbox(async (event) => console.log(describe(event)));

export async function POST(request) {
  // The bytes as they came: a parsed and printed body has another signature.
  const body = new Uint8Array(await request.arrayBuffer());
  try {
    await take(await verifyWebhook(request.headers, body, process.env.LOTWARD_WEBHOOK_SECRET ?? ''));
    return new Response(null, { status: 204 });
  } catch (error) {
    return new Response(null, { status: error instanceof WebhookRefused ? 401 : 500 });
  }
}
