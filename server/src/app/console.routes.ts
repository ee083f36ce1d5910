import { Readable } from 'node:stream';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noSuchPath } from '../platform/errors/index.js';
import { isKnown } from '../platform/http/index.js';
import { readConsoleFiles } from './console-files.js';

const INDEX = '/index.html';

/** Paths of the service and of files: one that does not exist is not a console page either. */
const NOT_PAGES = [
  '/v2',
  '/oauth',
  '/docs',
  '/stream',
  '/exports',
  '/files',
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
    // The components insert their styles into the page.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    // Shows a PDF that the page has fetched.
    'frame-src blob:',
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  vary: 'accept-encoding',
};

/** The worker that reads codes from a camera: only there may WebAssembly be compiled. It has no page and no styles. */
const DECODER = /^\/assets\/decoder\.worker-[\w-]+\.js$/;
const DECODER_HEADERS = {
  ...CONSOLE_HEADERS,
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
};

/** Serves the console. The server does not know its pages: the client-side router does. */
export async function consoleRoutes(app: FastifyInstance, directory: string | null): Promise<void> {
  if (directory === null) {
    app.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs/api'));
    app.get('/*', { schema: { hide: true } }, () => {
      throw noSuchPath();
    });
    return;
  }
  const files = readConsoleFiles(directory);
  await app.register(fastifyStatic, {
    root: directory,
    serve: false,
    preCompressed: true,
    // The plugin derives the tag from a file's size and time. Two versions of index.html can share both: npm sets one time
    // for all files, and the hashed names in the page have a fixed length. Tags are hashes of the content instead.
    etag: false,
    lastModified: false,
    cacheControl: false,
    acceptRanges: false,
    setHeaders(response, file) {
      const etag = files.etagOf(file);
      if (etag !== undefined) response.setHeader('etag', etag);
    },
  });
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request.url);
    const file = files.has(path) ? path : isPage(request, path) ? INDEX : null;
    if (file === null) throw noSuchPath();
    // The build puts a hash of the content into these names.
    const isHashed = path.startsWith('/assets/');
    const cacheControl = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
    const headers = DECODER.test(path) ? DECODER_HEADERS : CONSOLE_HEADERS;
    return reply.headers({ ...headers, 'cache-control': cacheControl }).sendFile(file);
  };
  const options = { schema: { hide: true }, onSend: adjustFile };
  app.get('/', options, answer);
  app.get('/*', options, answer);
}

async function adjustFile(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  // The plugin still sends the media type for scripts that RFC 9239 made obsolete.
  if (String(reply.getHeader('content-type')).startsWith('application/javascript'))
    reply.type('text/javascript; charset=utf-8');
  const etag = reply.getHeader('etag');
  if (typeof etag !== 'string' || !isKnown(request.headers['if-none-match'], etag)) return payload;
  if (payload instanceof Readable) payload.destroy();
  for (const name of ['content-type', 'content-length', 'content-encoding']) reply.removeHeader(name);
  reply.code(304);
  return null;
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
