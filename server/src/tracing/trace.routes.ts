import { type Static, Type } from 'typebox';
import { type Database, readBusinessDay, transact } from '../platform/database/index.js';
import {
  type Call,
  decodeCursor,
  invalid,
  PAGE_LIMIT_DEFAULT,
  type Route,
  readRoute,
} from '../platform/http/index.js';
import { CODE_PATH, codeInPath, codeInQuery } from './code-in-request.js';
import { epcisDocument } from './epcis.rules.js';
import { EpcisView } from './epcis.schemas.js';
import {
  CodeQuery,
  PathQuery,
  ReadingView,
  ReadQuery,
  TRACE_LIST,
  TraceView,
  toReadingView,
  toTraceView,
} from './trace.schemas.js';
import { readCode, traceUdi } from './trace-udi.js';

const Traced = Type.Unsafe<Static<typeof TraceView> | Static<typeof EpcisView>>({
  anyOf: [TraceView, EpcisView],
});

export const traceRoutes = (database: Database): Route[] => {
  const tag = 'UDI and traces';
  const facts = { scope: 'udi:read', boundCredentials: 'allowed', tag } as const;
  const description =
    'By serial number where the code has one, else by batch, else by device: from the stock ledger, oldest first. ' +
    '`format=epcis` returns the same page as an EPCIS 2.0 document.';
  return [
    readRoute({
      ...facts,
      operationId: 'readUdi',
      path: '/v2/udi/read',
      summary: 'Read a code',
      description: 'Returns the parts of the code without looking anything up.',
      query: ReadQuery,
      data: ReadingView,
      read: async ({ principal, target }) =>
        toReadingView(readCode(codeInQuery(target), await readBusinessDay(database, principal))),
    }),
    readRoute({
      ...facts,
      operationId: 'traceUdiByParameter',
      path: '/v2/udi',
      summary: 'Trace a code given as a parameter',
      description,
      mayLag: { with: 'at' },
      query: CodeQuery,
      data: Traced,
      read: (call, from) => answerTrace(from, call, codeInQuery(call.target)),
    }),
    readRoute({
      ...facts,
      operationId: 'traceUdi',
      path: CODE_PATH,
      rest: 'udiCode',
      summary: 'Trace a code',
      description: `The code percent-encoded, or a GS1 Digital Link as it is. ${description}`,
      mayLag: { with: 'at' },
      query: PathQuery,
      data: Traced,
      read: (call, from) => answerTrace(from, call, codeInPath(call.target)),
    }),
  ];
};

async function answerTrace(
  database: Database,
  { principal, query }: Call<unknown, Static<typeof PathQuery>>,
  code: string,
) {
  const { limit = PAGE_LIMIT_DEFAULT, cursor, at, format } = query;
  const { boundTo: customerCode, timeZone } = principal;
  const until = at === undefined ? null : new Date(at);
  const withPackages = format === 'epcis';
  const request = { code, until, after: placeOf(cursor), limit, customerCode, timeZone, withPackages };
  const trace = await transact(database, principal, (tx) => traceUdi(tx, request));
  const view = toTraceView(trace, limit);
  if (format !== 'epcis') return view;
  return epcisDocument(trace, {
    items: trace.chain.slice(0, limit),
    nextCursor: view.chain.nextCursor,
    at: database.clock.now(),
  });
}

/** Decodes a cursor to its ledger position. */
function placeOf(cursor: string | undefined): number {
  const place = decodeCursor(TRACE_LIST, cursor, 1)?.[0];
  if (place === undefined) return 0;
  if (!/^[1-9]\d{0,14}$/.test(place)) throw invalid('bad_cursor', 'cursor');
  return Number(place);
}
