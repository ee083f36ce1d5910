/* Outpost: `OUTPOST_URL` is the address before `/api/v1`, `OUTPOST_API_KEY` its API key, `OUTPOST_TOPIC` one of its topics. */
export const outpost = {
  name: 'Outpost',
  signatureHeader: 'x-outpost-signature',
  acceptedStatus: 202,

  settingsIn: (env) =>
    env.OUTPOST_URL && {
      url: env.OUTPOST_URL,
      key: env.OUTPOST_API_KEY,
      topic: env.OUTPOST_TOPIC ?? 'order.status_changed',
    },

  /** A tenant of an earlier run is emptied first, so that no endpoint gets a push twice. */
  async createTenant(call, { topic }, tenant, urls) {
    const path = `/api/v1/tenants/${tenant}`;
    await call('DELETE', path, undefined, [200, 404]);
    await call('PUT', path, {});
    for (const url of urls)
      await call('POST', `${path}/destinations`, { type: 'webhook', topics: [topic], config: { url } });
  },

  /** The call that publishes one event; `data` is the body of its pushes as JSON text. */
  publishOf: ({ topic }, tenant, data) => ({
    path: '/api/v1/publish',
    body: `{"tenant_id":"${tenant}","topic":"${topic}","data":${data}}`,
  }),
};
