import { LotwardError } from '@lotward/client';
import { Box, Breadcrumbs, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { useArrival } from '../app/arrival.js';
import { useWords } from '../app/language.js';
import type { PlainPath, Search } from '../app/paths.js';
import { Empty } from './empty.js';
import { commonWords } from './everywhere-words.js';
import { ButtonLink, PageLink } from './links.js';
import { Problem } from './problem.js';

/** The parent page. */
export type Above =
  | { to: PlainPath; search?: Search; name: string }
  | { to: '/dispatches/$dispatchId'; params: { dispatchId: string }; name: string }
  | { to: '/quality/dispositions/$dispositionId'; params: { dispositionId: string }; name: string }
  | { to: '/receipts/$receiptId'; params: { receiptId: string }; name: string }
  | { to: '/recalls/$recallId'; params: { recallId: string }; name: string };

/** The frame of every page: breadcrumb, title, actions. */
export function Page({
  title,
  status,
  hint,
  above,
  actions,
  children,
}: {
  title: string;
  /** Beside the title: the state of the record. */
  status?: ReactNode;
  hint?: string;
  above?: Above;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useArrival(title);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" wrap="wrap" gap="sm">
        {/* A long hint wraps before it pushes the actions below it. */}
        <Box miw={0} flex="1 1 300px">
          {above && (
            <Breadcrumbs mb={4}>
              {'params' in above ? (
                <PageLink to={above.to} params={above.params}>
                  {above.name}
                </PageLink>
              ) : (
                <PageLink to={above.to} {...(above.search ? { search: above.search } : {})}>
                  {above.name}
                </PageLink>
              )}
              <Text size="sm" c="dimmed" truncate lh="sm">
                {title}
              </Text>
            </Breadcrumbs>
          )}
          <Group gap="sm">
            <Title order={1} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Title>
            {status}
          </Group>
          {hint && (
            <Text c="dimmed" size="sm" maw={720} className="no-print">
              {hint}
            </Text>
          )}
        </Box>
        {actions && (
          <Group gap="xs" wrap="wrap">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  );
}

/** A section of a page. */
export function Panel({
  title,
  hint,
  actions,
  children,
}: {
  title?: string;
  hint?: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" component="section">
      {(title || actions) && (
        <Group justify="space-between" mb="sm" wrap="wrap" gap="xs">
          <Box>
            {title && <Title order={2}>{title}</Title>}
            {hint && (
              <Text size="sm" c="dimmed">
                {hint}
              </Text>
            )}
          </Box>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      )}
      {children}
    </Paper>
  );
}

/** Shows a resource once it is loaded; until then a placeholder, or the reason why it cannot be shown. */
export function Loaded<T>({
  query,
  missing,
  children,
}: {
  query: UseQueryResult<T>;
  /** For the record of a page: shown if it does not exist, with a link to its list. */
  missing?: { title: string; to: PlainPath; search?: Search };
  children: (data: T) => ReactNode;
}) {
  if (query.isPending) return <Skeleton height={160} />;
  if (query.isError && missing && isNotFound(query.error)) return <Missing {...missing} />;
  if (query.isError && query.data === undefined)
    return <Problem error={query.error} onRetry={() => query.refetch()} />;
  return <>{children(query.data as T)}</>;
}

const NOT_FOUND = 404;
const isNotFound = (error: unknown): boolean => error instanceof LotwardError && error.status === NOT_FOUND;

function Missing({ title, to, search }: { title: string; to: PlainPath; search?: Search }) {
  const words = useWords(commonWords);
  return (
    <Empty title={title} hint={words.missingHint} icon={SearchX}>
      <ButtonLink to={to} {...(search ? { search } : {})} variant="light">
        {words.backToList}
      </ButtonLink>
    </Empty>
  );
}

/** Names and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Box
      component="dl"
      m={0}
      style={{ display: 'grid', gridTemplateColumns: 'minmax(110px, max-content) 1fr', gap: '6px 16px' }}
    >
      {facts.map(([name, value]) => (
        <Box key={name} style={{ display: 'contents' }}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </Box>
      ))}
    </Box>
  );
}
