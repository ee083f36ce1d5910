import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noSuchPath } from '../platform/errors/index.js';
import { type ConsoleFile, readConsoleFiles } from './console-files.js';
import { isKnown } from './etag.js';

const INDEX = '/index.html';

/** Addresses of the service and of files: what is not there is not a page of the console either. */
const NOT_PAGES = [
  '/v2',
  '/oauth',
  '/docs',
  '/stream',
  '/exports',
  '/labels',
  '/metrics',
  '/healthz',
  '/readyz',
  '/.well-known',
  '/assets',
];

const CONSOLE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // The components write their styles into the page.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'accept-encoding',
};

/** The console for people. Its pages have addresses of their own, which only the page itself knows. */
export function consoleRoutes(app: FastifyInstance, directory: string | null): void {
  const files = directory === null ? null : readConsoleFiles(directory);
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.url);
    if (files === null) {
      if (path === '/') return reply.redirect('/docs/api');
      throw noSuchPath();
    }
    const encodings = String(request.headers['accept-encoding'] ?? '');
    const file = files.find(path, encodings) ?? (isPage(request, path) ? files.find(INDEX, encodings) : null);
    if (!file) throw noSuchPath();
    return send(request, reply, file, path);
  };
  app.get('/', { schema: { hide: true } }, answer);
  app.get('/*', { schema: { hide: true } }, answer);
}

async function send(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile, path: string) {
  // The build names these by their content: another content has another name.
  const lasting = path.startsWith('/assets/');
  reply.headers({
    ...CONSOLE_HEADERS,
    etag: file.etag,
    'cache-control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
  });
  if (isKnown(request.headers['if-none-match'], file.etag)) return reply.code(304).send();
  if (file.encoding) reply.header('content-encoding', file.encoding);
  return reply.type(file.type).send(await file.read());
}

function pathOf(url: string): string {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/s, ''));
  } catch {
    throw noSuchPath();
  }
}

function isPage(request: FastifyRequest, path: string): boolean {
  if (path === '/') return true;
  if (NOT_PAGES.some((each) => path === each || path.startsWith(`${each}/`))) return false;
  return /\btext\/html\b/i.test(request.headers.accept ?? '');
}
