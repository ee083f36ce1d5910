import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderMarkdown } from '../../src/app/docs/markdown.js';
import { openTestDatabase, startApi, type TestApi, type TestDatabase } from '../harness/index.js';
import { repository } from './guide.js';

const HTML = { accept: 'text/html' };
let db: TestDatabase;
let api: TestApi;
beforeAll(async () => {
  db = await openTestDatabase();
  api = await startApi(db.database);
});
afterAll(async () => {
  await api.close();
  await db.close();
});

const get = (path: string, headers: Record<string, string> = HTML) =>
  fetch(api.url + path, { headers, redirect: 'manual' });
const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

/** All pages reachable from the first one by links within the site. */
async function crawlSite(): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const queue = ['/docs'];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const response = await get(path);
    expect([path, response.status]).toEqual([path, 200]);
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
    const html = isPage ? await response.text() : '';
    pages.set(path, html);
    const links = [...attributes(html, 'href'), ...attributes(html, 'src')].map(
      (link) => link.split('#')[0] ?? '',
    );
    for (const link of links)
      if (
        /^\/docs(\/|$)/.test(link) &&
        !link.startsWith('/docs/api') &&
        !pages.has(link) &&
        !queue.includes(link)
      )
        queue.push(link);
  }
  return pages;
}

describe('the documentation', () => {
  it('has no dead link and no dead anchor, and every page can be reached', async () => {
    const pages = await crawlSite();
    for (const [path, html] of pages) {
      for (const link of attributes(html, 'href')) {
        const [page = '', anchor] = link.split('#');
        if (anchor === undefined || /^https?:/.test(link)) continue;
        const target = page === '' ? html : (pages.get(page) ?? '');
        expect([path, link, attributes(target, 'id').includes(decodeURIComponent(anchor))]).toEqual([
          path,
          link,
          true,
        ]);
      }
      for (const link of attributes(html, 'href').filter((each) => /^\/(?!docs)/.test(each)))
        expect(['/', '/favicon.svg']).toContain(link);
    }
    const written = ['', 'guides', 'decisions', 'security'].flatMap((folder) =>
      readdirSync(join(repository, 'docs', folder))
        .filter((file) => file.endsWith('.md') && file !== 'README.md')
        .map(
          (file) => `/docs/${folder === '' || folder === 'guides' ? '' : `${folder}/`}${file.slice(0, -3)}`,
        ),
    );
    expect(written.length).toBeGreaterThan(25);
    expect([...pages.keys()]).toEqual(expect.arrayContaining(written));
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining([
        '/docs/decisions',
        '/docs/states/order.svg',
        '/docs/monitoring/dashboard.json',
      ]),
    );
    // The API reference uses that path.
    expect(existsSync(join(repository, 'docs', 'guides', 'api.md'))).toBe(false);
    expect((await get('/docs/api/')).status).toBe(200);
  });

  it('is searched by words, and shows a query as text only', async () => {
    const response = await get('/docs/search?q=verify+signature');
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await response.text()).toMatch(/href="\/docs\/webhooks#[a-z-]*signature/);
    const hostile = await (await get(`/docs/search?q=${encodeURIComponent('"><script>')}`)).text();
    expect(hostile).toContain('No page has all of these words.');
    expect(hostile).not.toContain('<script');
    expect((await get('/docs/search')).status).toBe(200);
  });

  it('says in Chinese, to readers of Chinese only, that it is in English, names its pages in Chinese and finds them by Chinese words', async () => {
    const chinese = { 'accept-language': 'zh-CN,zh;q=0.9,en;q=0.8' };
    const page = await get('/docs/webhooks', chinese);
    const html = await page.text();
    expect(html).toContain('文档正文为英文');
    expect(html).toContain('<span lang="zh-CN">快速开始</span>');
    expect(page.headers.get('vary')).toContain('accept-language');
    const english = await (await get('/docs/webhooks')).text();
    expect(english).not.toMatch(/文档|快速开始/);
    const found = await (await get(`/docs/search?q=${encodeURIComponent('验证签名')}`, chinese)).text();
    expect(found).toMatch(/href="\/docs\/webhooks#[a-z-]*signature/);
  });

  it('contains no script, and its policy allows none', async () => {
    const page = await get('/docs/states');
    const html = await page.text();
    expect(html).not.toMatch(/<script|\son\w+=|\sstyle=/);
    expect(html).toContain('<img src="/docs/states/order.svg" alt="The states of an order">');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+' 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; /,
    );
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const drawing = await get('/docs/states/order.svg');
    expect(drawing.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(drawing.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    );
  });

  it('shows neither the marks of blocks nor HTML written in a page', async () => {
    const html = await (await get('/docs/quick-start')).text();
    expect(html).not.toMatch(/sh run|text output|js file=|language-/);
    const { html: made, headings } = renderMarkdown(
      '# A <b> & `<c>`\n\n<script>alert(1)</script>\n\n<!-- hidden -->\n\n[bad](javascript:alert(1)) [gone](nope.md)\n\n## A\n\n## A\n',
      () => null,
    );
    expect(made).not.toMatch(/<script|<b>|hidden|href/);
    expect(headings.map(({ id }) => id)).toEqual(['a-b--c', 'a', 'a-1']);
  });

  it('is sent again only after a change', async () => {
    const first = await get('/docs/');
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(etag).toMatch(/^"[\w-]{22}-gzip"$/);
    const again = await get('/docs', { ...HTML, 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('responds to an unknown page with the table of contents for people and the error table for programs', async () => {
    for (const path of [
      '/docs/nope',
      '/docs/guides/quick-start.md',
      '/docs/reports',
      '/docs/..%2fREADME.md',
      '/docs/%00',
    ]) {
      const page = await get(path);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ]);
      expect(await page.text()).toContain('href="/docs/quick-start"');
      const response = await get(path, { accept: 'application/json' });
      expect([path, response.status, await response.json()]).toMatchObject([path, 404, { code: 1004 }]);
    }
    expect((await get('/docs/%zz')).status).not.toBe(200);
  });

  it('has a dashboard and alerts whose metrics the service exports', async () => {
    const shown = await (await get('/metrics')).text();
    for (const file of ['dashboard.json', 'alerts.yml']) {
      const text = readFileSync(join(repository, 'docs', 'monitoring', file), 'utf8');
      const names = text.match(/\b(lotward|process|nodejs)_[a-z0-9_]+/g) ?? [];
      expect(names.length).toBeGreaterThan(5);
      for (const name of new Set(names))
        expect([file, name, shown.includes(`# HELP ${name.replace(/_(bucket|count)$/, '')} `)]).toEqual([
          file,
          name,
          true,
        ]);
    }
  });
});
