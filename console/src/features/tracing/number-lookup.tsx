import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { client } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { paletteWords } from '../../app/palette/palette-words.js';
import { type Found, targetOf } from '../../app/palette/targets.js';
import { CodeText } from '../../ui/code-text.js';
import { Empty } from '../../ui/empty.js';
import { PageLink } from '../../ui/links.js';
import { Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { type Status, StatusBadge } from '../../ui/status.js';
import { traceCodeOf } from './trace-code.js';
import { traceWords } from './trace-words.js';

/** A batch is traced too; every other record has a page. */
function addressOf(found: Found): { to: string; search: Record<string, string> } {
  const code = found.kind === 'batch' ? traceCodeOf(found.productCode, found.id) : null;
  if (code !== null) return { to: '/trace', search: { code } };
  const { pathname, searchParams } = new URL(targetOf(found).href, location.origin);
  return { to: pathname, search: Object.fromEntries(searchParams) };
}

/** The records whose serial, batch or other number was typed instead of a code. */
export function NumberLookup({ number }: { number: string }) {
  const words = useWords(traceWords);
  const { kinds, more } = useWords(paletteWords);
  const sought = number.trim();
  const query = useQuery({
    queryKey: ['/v2/search', sought],
    queryFn: ({ signal }) => client.get('/v2/search', { query: { q: sought }, signal }),
  });
  if (query.isError) return <Problem error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) return <Skeleton height={160} />;
  const targets = query.data.items.map((found) => ({
    ...targetOf(found),
    ...addressOf(found),
    ofKind: kinds[found.kind],
  }));
  if (targets.length === 0)
    return <Empty title={words.noNumber(sought)} hint={words.noNumberHint} icon={SearchX} />;
  return (
    <Panel title={words.foundByNumber(sought)} hint={words.foundByNumberHint}>
      <Stack gap="sm">
        {targets.map(({ key, to, search, title, detail, status, ofKind }) => (
          <div key={key}>
            <PageLink to={to} search={search as never}>
              <CodeText>{title}</CodeText>
            </PageLink>{' '}
            {status !== null && <StatusBadge status={status as Status} />}
            <Text size="xs" c="dimmed">
              {detail === null ? ofKind : `${ofKind} · ${detail}`}
            </Text>
          </div>
        ))}
        {query.data.hasMore && (
          <Text size="xs" c="dimmed">
            {more}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
