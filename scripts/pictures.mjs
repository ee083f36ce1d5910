// Takes the pictures of the README again, from a server with the demo data:
//   node scripts/pictures.mjs http://127.0.0.1:8080 <password that the server printed>
// The administrator needs a second factor, so the pictures are taken by the two others.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../console/test/harness/chromium.mjs';

const [url, password] = process.argv.slice(2);
if (!url || !password) throw new Error('usage: node scripts/pictures.mjs <address> <password>');
const into = fileURLToPath(new URL('../docs/images', import.meta.url));
const PEOPLE = { warehouse: 'warehouse@demo.example', quality: 'quality@demo.example' };
const DESK = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 780 };

async function signIn(person) {
  const answer = await fetch(`${url}/v2/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: PEOPLE[person], password }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const [name, value] = answer.headers.getSetCookie()[0].split(';')[0].split('=');
  return { cookie: { name, value, url }, csrfToken: (await answer.json()).data.csrfToken };
}

const sessions = { warehouse: await signIn('warehouse'), quality: await signIn('quality') };

async function call(method, path, body) {
  const { cookie, csrfToken } = sessions.warehouse;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      cookie: `${cookie.name}=${cookie.value}`,
      'content-type': 'application/json',
      'x-csrf-token': csrfToken,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).data;
}

/** The demo has picked all its dispatches: another one is begun. */
async function dispatchToPick() {
  const [found] = (await call('GET', '/v2/dispatches?status=picking')).items;
  if (found) return found;
  for (const { orderId } of (await call('GET', '/v2/orders?status=approved&status=partially_dispatched'))
    .items) {
    const created = await call('POST', '/v2/dispatches', { orderId }).catch(() => null);
    if (created) return created;
  }
  throw new Error('no order can be dispatched');
}

const [order] = (await call('GET', '/v2/orders?status=pending_approval&sort=createdAt')).items;
const dispatch = await dispatchToPick();
const trace = new URLSearchParams({ code: '(01)06901234567892(10)TRACE-1' });
const PICTURES = [
  { name: 'overview', path: '/', person: 'quality' },
  { name: 'order', path: `/orders/${order.orderId}`, person: 'quality', shows: 'Stock now' },
  { name: 'picking', path: `/dispatches/${dispatch.dispatchId}`, person: 'warehouse', size: PHONE },
  { name: 'trace', path: `/trace?${trace}`, person: 'quality', theme: 'dark', from: 'Custody over time' },
  { name: 'expiry', path: '/expiring-stock?band=90', person: 'warehouse' },
  { name: 'developers', path: '/developers/events', person: 'quality', theme: 'dark', open: /^order/ },
];

/** As WebP, which the browser writes and its own screenshots do not offer. */
async function compress(page, png) {
  await page.goto('about:blank');
  const base64 = await page.evaluate(async (bytes) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${bytes}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.7 });
    return btoa(
      Array.from(new Uint8Array(await blob.arrayBuffer()), (each) => String.fromCharCode(each)).join(''),
    );
  }, png.toString('base64'));
  return Buffer.from(base64, 'base64');
}

mkdirSync(into, { recursive: true });
const browser = await launchChromium();
try {
  for (const { name, path, person, theme = 'light', size = DESK, shows, from, open } of PICTURES) {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: size,
      colorScheme: theme,
      reducedMotion: 'reduce',
      deviceScaleFactor: 1.5,
    });
    await context.addCookies([sessions[person].cookie]);
    const page = await context.newPage();
    await page.goto(`${url}${path}`);
    await page.waitForFunction(
      () =>
        document.querySelector('h1') &&
        !document.querySelector('.mantine-Skeleton-root, .mantine-Loader-root') &&
        document.fonts.status === 'loaded',
    );
    if (shows) await page.getByText(shows).first().waitFor();
    if (open) await page.getByRole('main').getByRole('button', { name: open }).click();
    if (from)
      await page.getByRole('heading', { name: from }).evaluate((heading) => {
        // Below the header, which stays.
        scrollTo(0, heading.getBoundingClientRect().top + scrollY - 96);
      });
    writeFileSync(join(into, `${name}.webp`), await compress(page, await page.screenshot()));
    await context.close();
  }
} finally {
  await browser.close();
}
