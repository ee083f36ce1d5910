/* Mutants of webhooks with which the program does the same, and why. */
export const inWebhooks = [
  {
    file: 'server/src/webhooks/delivery/lease.store.ts',
    line: '({ org, given, isDistributed }) => `',
    was: '>',
    now: '>=',
    why: 'the feed is read from after the watermark, so that whether the event there was settled is never asked',
  },
  {
    file: 'server/src/webhooks/sealed-secrets.store.ts',
    line: 'read: statement(`',
    was: '>',
    now: '>=',
    why: 'the next page begins with the last row of the one before, which is sealed already and stays as it is',
  },
  {
    file: 'server/src/webhooks/delivery/supply.store.ts',
    line: 'const entitiesRecovering = statement(`',
    was: "and e.entity_type || ' ' || e.entity_id = any($3)",
    why: 'the caller asks the result only about the entities it gave',
  },
  {
    file: 'server/src/webhooks/delivery/endpoint.ts',
    line: 'a.orgId < b.orgId || (a.orgId === b.orgId && a.webhookId < b.webhookId) ? -1 : 1;',
    was: 'a.webhookId < b.webhookId',
    now: '< → <=',
    why: 'no two endpoints of a list are the same webhook',
  },
  {
    file: 'server/src/webhooks/delivery/event-filter.ts',
    line: 'this.#alreadyRead = this.#alreadyRead.filter(({ upTo }) => upTo > readTo);',
    was: 'upTo > readTo',
    now: '> → >=',
    why: 'what is kept longer is about events up to there, which were selected when they were read first',
  },
  {
    file: 'server/src/webhooks/delivery/leases.ts',
    line: 'if (claimed.length === 0) return [];',
    was: 'claimed.length === 0',
    now: 'false',
    why: 'the endpoints of no key are none; it only saves a statement',
  },
  {
    file: 'server/src/webhooks/delivery/pusher.ts',
    line: 'this.#inFlight.close();',
    was: 'this.#inFlight.close();',
    why: 'the end of the last push has closed it already',
  },
];
