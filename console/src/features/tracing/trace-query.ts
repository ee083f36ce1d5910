import type { Data } from '@lotward/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../app/api.js';

type Answer = Data<'/v2/udi', 'get'>;
export type Trace = Extract<Answer, { udi: unknown }>;
type EpcisDocument = Extract<Answer, { epcisBody: unknown }>;
export type Step = Trace['chain']['items'][number];
export type Holder = Trace['holders'][number];

const STEPS = 50;
const STEPS_MAX = 200;

/** The trace of a code; its history loads page by page. */
export function useTrace(code: string, enabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['/v2/udi', { code }],
    enabled,
    queryFn: async ({ pageParam, signal }) =>
      (await api.get('/v2/udi', {
        query: { code, limit: STEPS, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      })) as Trace,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.chain.nextCursor,
  });
}

export type TraceQuery = ReturnType<typeof useTrace>;

/** The whole history as one EPCIS document, however many pages it has. */
export async function wholeEpcis(code: string): Promise<object> {
  const ask = async (cursor: string | undefined) =>
    (await api.get('/v2/udi', {
      query: { code, format: 'epcis', limit: STEPS_MAX, ...(cursor === undefined ? {} : { cursor }) },
    })) as EpcisDocument;
  const { 'lotward:nextCursor': more, ...first } = await ask(undefined);
  const eventList = [...first.epcisBody.eventList];
  for (let cursor = more; cursor !== undefined; ) {
    const next: EpcisDocument = await ask(cursor);
    eventList.push(...next.epcisBody.eventList);
    cursor = next['lotward:nextCursor'];
  }
  return { ...first, epcisBody: { ...first.epcisBody, eventList } };
}
