import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noSuchPath } from '../platform/errors/index.js';
import { prefersChinese } from './docs/chinese.js';
import { DOCS_PAGE_HEADERS } from './docs/layout.js';
import { type Answer, type DocsSite, docsDirectory, openDocsSite } from './docs/site.js';

const QUERY_MAX = 100;

/** Serves the documentation to anyone. It is read on the first request. */
export function docsRoutes(app: FastifyInstance): void {
  let site: DocsSite | null | undefined;
  const open = (): DocsSite | null => {
    const directory = docsDirectory();
    return directory === null ? null : openDocsSite(directory);
  };
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    site ??= open();
    const found = site?.find(pathOf(request.url), prefersChinese(request.headers['accept-language'])) ?? null;
    if (found) return send(request, reply, found);
    if (!site || !/\btext\/html\b/i.test(request.headers.accept ?? '')) throw noSuchPath();
    return send(request, reply.code(404), site.missing);
  };
  app.get('/docs/search', { schema: { hide: true } }, async (request, reply) => {
    site ??= open();
    if (!site) throw noSuchPath();
    const query = new URL(request.url, 'http://docs.invalid').searchParams.get('q') ?? '';
    reply.headers({ ...DOCS_PAGE_HEADERS, 'cache-control': 'no-store' }).type('text/html; charset=utf-8');
    return site.search(query.trim().slice(0, QUERY_MAX), prefersChinese(request.headers['accept-language']));
  });
  app.get('/docs', { schema: { hide: true } }, answer);
  app.get('/docs/*', { schema: { hide: true } }, answer);
}

const send = (request: FastifyRequest, reply: FastifyReply, { headers, document }: Answer) =>
  document.send(request, reply.headers({ ...headers, 'cache-control': 'no-cache', vary: 'accept-language' }));

function pathOf(url: string): string {
  try {
    return decodeURIComponent(url.replace(/[?#].*$/s, ''));
  } catch {
    throw noSuchPath();
  }
}
