import type { Item } from '@lotward/client';
import { Badge, Code, SegmentedControl, Stack, Text } from '@mantine/core';
import { useList } from '../../app/api.js';
import { useFilters } from '../../app/filters.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { CopyText } from '../../ui/copy.js';
import { explainIssue } from '../../ui/explain-issue.js';
import { ListSection } from '../../ui/list-page.js';
import { Facts, Panel } from '../../ui/page.js';
import { requestsWords } from './requests-words.js';

type Logged = Item<'/v2/requests'>;

/** Most paths fit; a longer one wraps, so that the table stays on the page. */
const PATH_WIDTH = 'min(16rem, 40vw)';

/** The latest requests of a credential: all, or only failures, with their reason and remedy. */
export function RequestsPanel({ credentialId }: { credentialId: string }) {
  const words = useWords(requestsWords);
  const format = useFormat();
  const [filters, change] = useFilters(['requests']);
  const isAll = filters.requests === 'all';
  const list = useList('/v2/requests', {
    query: { credentialId, ...(isAll ? {} : { status: ['4xx', '5xx'] }) },
  });
  return (
    <Panel
      title={words.requests}
      hint={words.hint}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={words.outcome}
          value={isAll ? 'all' : 'failures'}
          data={(['failures', 'all'] as const).map((value) => ({ value, label: words[value] }))}
          onChange={(next) => change({ requests: next === 'failures' ? null : next })}
        />
      }
    >
      <ListSection
        list={list}
        label={words.requests}
        noun={words.noun}
        rowKey={(request) => request.requestId}
        empty={{ title: isAll ? words.nothing : words.noFailures }}
        detail={(request) => <RequestDetail request={request} />}
        columns={[
          {
            name: words.request,
            show: (request) => (
              <>
                <Text size="xs" fw={600}>
                  {request.method}
                </Text>
                <Code style={{ display: 'inline-block', minWidth: PATH_WIDTH, overflowWrap: 'anywhere' }}>
                  {request.path}
                </Code>
                <Text size="xs" c="dimmed" hiddenFrom="sm">
                  {format.instant(request.at)}
                </Text>
              </>
            ),
          },
          { name: words.at, show: (request) => format.instant(request.at), wide: true },
          { name: words.status, show: (request) => <HttpStatus request={request} /> },
          { name: words.reason, show: (request) => <Reason request={request} />, wide: true },
          {
            name: words.duration,
            show: (request) => words.ms(format.number(Math.round(request.durationMs))),
            align: 'right',
            wide: true,
          },
        ]}
      />
    </Panel>
  );
}

const COLORS = { success: 'green', client: 'orange', server: 'red' } as const;

function HttpStatus({ request: { status } }: { request: Logged }) {
  const color = COLORS[status < 400 ? 'success' : status < 500 ? 'client' : 'server'];
  return (
    <Badge variant="light" color={color}>
      {status}
    </Badge>
  );
}

/** The message that the program received; in Chinese, the meaning of the reason. */
const wordsOf = (issue: Logged['errors'][number], language: string) =>
  language === 'zh-CN' ? explainIssue(issue, language) : issue.message;

function Reason({ request }: { request: Logged }) {
  const { language } = useLanguage();
  const [first] = request.errors;
  if (!first) return NOTHING;
  return (
    <>
      <Text size="sm">{wordsOf(first, language)}</Text>
      <Code>{first.reason}</Code>
    </>
  );
}

function RequestDetail({ request }: { request: Logged }) {
  const words = useWords(requestsWords);
  const format = useFormat();
  const { language } = useLanguage();
  const { callerRequestId, responseBytes } = request;
  const sizes = words.bytes(
    format.number(request.requestBytes),
    responseBytes === null ? NOTHING : format.number(responseBytes),
  );
  return (
    <Facts
      facts={[
        [words.requestId, <CopyText key="id" text={request.requestId} label={words.requestId} />],
        ...(callerRequestId === null ? [] : [[words.callerRequestId, callerRequestId] as const]),
        ...(request.errors.length === 0
          ? []
          : [[words.errors, <Errors key="errors" request={request} />] as const]),
        // The service's remedies are in English; the Chinese text of a reason contains its own.
        ...(request.remedy === null || language === 'zh-CN' ? [] : [[words.remedy, request.remedy] as const]),
        ...(request.count > 1 ? [[words.reason, words.times(format.number(request.count))] as const] : []),
        [words.size, sizes],
      ]}
    />
  );
}

function Errors({ request }: { request: Logged }) {
  const { language } = useLanguage();
  return (
    <Stack gap={4}>
      {request.errors.map((issue) => (
        <Text size="sm" key={`${issue.path} ${issue.reason} ${issue.message}`}>
          <Code>{issue.reason}</Code> {issue.path && <Code>{issue.path}</Code>} {wordsOf(issue, language)}
        </Text>
      ))}
    </Stack>
  );
}
