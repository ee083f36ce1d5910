/*
 * Svix server: `SVIX_URL` is the address before `/api/v1`, `SVIX_TOKEN` an authentication token. Written from its documented API; not run
 * against a server yet.
 */
export const svix = {
  name: 'Svix',
  signatureHeader: 'svix-signature',
  acceptedStatus: 202,

  settingsIn: (env) => env.SVIX_URL && { url: env.SVIX_URL, key: env.SVIX_TOKEN },

  /** A tenant is an application. One of an earlier run is removed first, so that no endpoint gets a push twice. */
  async createTenant(call, _settings, tenant, urls) {
    await call('DELETE', `/api/v1/app/${tenant}`, undefined, [204, 404]);
    await call('POST', '/api/v1/app', { name: tenant, uid: tenant });
    for (const url of urls) await call('POST', `/api/v1/app/${tenant}/endpoint`, { url, version: 1 });
  },

  publishOf: (_settings, tenant, data) => ({
    path: `/api/v1/app/${tenant}/msg`,
    body: `{"eventType":"order.status_changed","payload":${data}}`,
  }),
};
