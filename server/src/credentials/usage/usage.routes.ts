import { Type } from 'typebox';
import { type Database, transact } from '../../platform/database/index.js';
import { missing } from '../../platform/errors/index.js';
import { Code, Instant, OneOf, type Route, readRoute, Strict } from '../../platform/http/index.js';
import { USAGE_KINDS, USAGE_STEPS, type UsageCounts } from './usage.js';
import { spanOf } from './usage.rules.js';
import { isKnownCredential, readUsage, readUsageSince, type UsageSince } from './usage.store.js';

const HOUR_MS = 3_600_000;

const counts = {
  requests: Type.Integer({ description: 'All requests, including refused ones.' }),
  clientErrors: Type.Integer({ description: 'Responses with 4xx, except 429.' }),
  serverErrors: Type.Integer({ description: 'Responses with 5xx.' }),
  limited: Type.Integer({ description: 'Responses with 429.' }),
};
const SummaryRow = Type.Object({
  kind: OneOf(USAGE_KINDS),
  credentialId: Type.String({
    description: 'The id of the key or client; for the console, the id of the person.',
  }),
  lastDay: Type.Object(counts),
  lastWeek: Type.Object(counts),
});

export function usageRoutes(database: Database): Route[] {
  return [
    readRoute({
      operationId: 'getSettingsUsage',
      path: '/v2/settings/usage',
      scope: 'settings:read',
      tag: 'Settings',
      summary: 'Count requests over time, for all credentials or one',
      description:
        'By hour (at most 31 days, by default the last 24 hours) or by day in the organization’s time zone (at most 92 days, ' +
        'by default the last 30). Kept for 90 days; up to half a minute behind.',
      mayLag: true,
      query: Strict({
        credentialId: Type.Optional(Code('A key, an OAuth client, or a person at the console.')),
        from: Type.Optional(Instant()),
        to: Type.Optional(Instant('Now, when not given.')),
        step: Type.Optional(OneOf(USAGE_STEPS)),
      }),
      data: Type.Object({ items: Type.Array(Type.Object({ at: Instant('When it began.'), ...counts })) }),
      async read({ principal, query: { credentialId = null, ...asked } }, from) {
        const span = spanOf(asked, database.clock.now());
        // Usage is counted by UTC hours.
        const timeZone = span.step === 'hour' ? 'UTC' : principal.timeZone;
        const rows = await transact(from, principal, async (tx) => {
          if (credentialId !== null && !(await isKnownCredential(tx, credentialId)))
            throw missing('credential', 'credentialId');
          return readUsage(tx, { credentialId, ...span, timeZone });
        });
        return { items: rows.map((row) => ({ ...row, at: row.at.toISOString() })) };
      },
    }),
    readRoute({
      operationId: 'getSettingsUsageSummary',
      path: '/v2/settings/usage/summary',
      scope: 'settings:read',
      tag: 'Settings',
      summary: 'Count the requests of each credential in the last day and week',
      mayLag: true,
      data: Type.Object({ items: Type.Array(SummaryRow) }),
      async read({ principal }, from) {
        const ago = (hours: number) => new Date(database.clock.now().getTime() - hours * HOUR_MS);
        const rows = await transact(from, principal, (tx) => readUsageSince(tx, ago(7 * 24), ago(24)));
        return { items: summaryOf(rows) };
      },
    }),
  ];
}

const NONE: UsageCounts = { requests: 0, clientErrors: 0, serverErrors: 0, limited: 0 };

function summaryOf(rows: readonly UsageSince[]) {
  const byCredential = new Map<string, UsageSince[]>();
  for (const row of rows) {
    const id = `${row.kind} ${row.credentialId}`;
    byCredential.set(id, [...(byCredential.get(id) ?? []), row]);
  }
  return [...byCredential.values()].map((own) => ({
    kind: (own[0] as UsageSince).kind,
    credentialId: (own[0] as UsageSince).credentialId,
    lastDay: own.find((row) => row.isRecent) ?? NONE,
    lastWeek: own.reduce(plus, NONE),
  }));
}

const plus = (a: UsageCounts, b: UsageCounts): UsageCounts => ({
  requests: a.requests + b.requests,
  clientErrors: a.clientErrors + b.clientErrors,
  serverErrors: a.serverErrors + b.serverErrors,
  limited: a.limited + b.limited,
});
