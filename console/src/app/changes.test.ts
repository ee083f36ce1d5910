import { describe, expect, it } from 'vitest';
import { changedPaths } from './changes.js';

describe('a successful write', () => {
  it('refreshes what it may have changed, and not everything', () => {
    const changed = changedPaths('/v2/orders/{orderId}/approve', {});
    expect(changed).toEqual(expect.arrayContaining(['/v2/orders', '/v2/inventory', '/v2/overview']));
    expect(changed).not.toContain('/v2/certificates');
    expect(changedPaths('/v2/certificates', {})).not.toContain('/v2/orders');
  });

  it('of an area refreshes at least that area', () => {
    for (const area of ['products', 'partners', 'warehouses', 'stock', 'receipts', 'orders', 'dispatches'])
      expect(changedPaths(`/v2/${area}/x`)).toContain(`/v2/${area}`);
    for (const area of ['recalls', 'certificates', 'environment', 'webhooks', 'settings', 'sessions'])
      expect(changedPaths(`/v2/${area}`)).toContain(`/v2/${area}`);
  });

  it('that only previews refreshes nothing, nor does signing in', () => {
    expect(changedPaths('/v2/webhooks/{webhookId}/recover', { dryRun: true })).toEqual([]);
    expect(changedPaths('/v2/webhooks/{webhookId}/test', {})).toEqual([]);
    expect(changedPaths('/v2/session', {})).toEqual([]);
    expect(changedPaths('/v2/session/totp/confirm', {})).toEqual([]);
  });
});
