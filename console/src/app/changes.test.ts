import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changedPaths } from './changes.js';

const documentUrl = new URL('../../../server/openapi.json', import.meta.url);
const { paths } = JSON.parse(readFileSync(documentUrl, 'utf8')) as { paths: Record<string, object> };
const WRITES = ['post', 'put', 'patch', 'delete'];
const writePaths = Object.keys(paths).filter((path) =>
  WRITES.some((method) => method in (paths[path] ?? {})),
);
const isSignIn = (path: string) =>
  /^\/v2\/(session|invitations|password-resets|second-factor-resets)(\/|$)/.test(path);

describe('the table of changes', () => {
  it('lists every write of the API', () => {
    expect(writePaths.length).toBeGreaterThan(50);
    expect(writePaths.filter((path) => changedPaths(path).includes('/v2'))).toEqual([]);
  });

  it('refreshes at least the area that is written to', () => {
    const areaOf = (path: string) => path.split('/').slice(0, 3).join('/');
    const isRefreshed = (path: string) =>
      changedPaths(path).some((changed) => areaOf(path).startsWith(changed));
    const stale = writePaths.filter((path) => !isRefreshed(path) && !isSignIn(path));
    // Nobody is signed in to a sandbox, and a test push changes nothing.
    const expected = ['/v2/sandbox/clock', '/v2/sandbox/trigger', '/v2/webhooks/{webhookId}/test'];
    expect(stale.sort()).toEqual(expected);
  });

  it('names only paths that can be read', () => {
    const read = Object.keys(paths).filter((path) => 'get' in (paths[path] ?? {}));
    const changed = new Set(writePaths.flatMap((path) => changedPaths(path)));
    expect([...changed].filter((prefix) => !read.some((path) => path.startsWith(prefix)))).toEqual([]);
  });

  it('refreshes everything after a write it does not know', () => {
    expect(changedPaths('/v2/something-new')).toEqual(['/v2']);
  });
});

describe('a successful write', () => {
  it('refreshes what it may have changed, and not everything', () => {
    const changed = changedPaths('/v2/orders/{orderId}/approve', {});
    expect(changed).toEqual(expect.arrayContaining(['/v2/orders', '/v2/inventory', '/v2/overview']));
    expect(changed).not.toContain('/v2/certificates');
    expect(changedPaths('/v2/certificates', {})).not.toContain('/v2/orders');
  });

  it('that only previews refreshes nothing, nor does signing in', () => {
    expect(changedPaths('/v2/webhooks/{webhookId}/recover', { dryRun: true })).toEqual([]);
    expect(changedPaths('/v2/webhooks/{webhookId}/test', {})).toEqual([]);
    expect(changedPaths('/v2/session', {})).toEqual([]);
    expect(changedPaths('/v2/session/totp/confirm', {})).toEqual([]);
  });
});
