import type { Data } from '@lotward/client';
import { Alert, Button, Code, Group, SimpleGrid, Spoiler, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { DateTimeField } from '../../ui/date-field.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { instantOf, localInput } from '../../ui/local-time.js';
import { Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { deliveryWords } from './delivery-words.js';
import { Figure } from './health.js';

type Report = Data<'/v2/webhooks/{webhookId}/completeness', 'get'>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Shows whether everything in a span was delivered. */
export function Completeness({ webhookId }: { webhookId: string }) {
  const words = useWords(deliveryWords);
  const [from, setFrom] = useState(() => localInput(Date.now() - DAY_MS));
  // Entered by the minute, and the current minute belongs to the span.
  const [to, setTo] = useState(() => localInput(Date.now() + MINUTE_MS));
  const check = useMutation({
    mutationFn: () =>
      api.get('/v2/webhooks/{webhookId}/completeness', {
        path: { webhookId },
        query: { from: instantOf(from), to: instantOf(to) },
      }),
  });
  return (
    <Panel title={words.completeness} hint={words.completenessHint}>
      <Stack>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            check.mutate();
          }}
        >
          <Group align="flex-end" gap="sm">
            <DateTimeField
              label={words.from}
              required
              value={from}
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <DateTimeField
              label={words.to}
              required
              value={to}
              onChange={(event) => setTo(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={check.isPending}>
              {words.check}
            </Button>
          </Group>
        </form>
        <div aria-live="polite">
          {check.isError && <Problem error={check.error} action={words.check} />}
          {check.data && <ReportOf report={check.data} />}
        </div>
      </Stack>
    </Panel>
  );
}

function ReportOf({ report }: { report: Report }) {
  const words = useWords(deliveryWords);
  const common = useWords(commonWords);
  const format = useFormat();
  const missing = report.failed + report.skipped;
  return (
    <Stack gap="sm">
      {missing > 0 ? (
        <Alert color="red" icon={<CircleAlert size={18} />}>
          {words.missing(format.number(missing))}
        </Alert>
      ) : report.pending > 0 ? (
        <Alert color="yellow" icon={<Clock size={18} />}>
          {words.stillPending}
        </Alert>
      ) : (
        <Alert color="teal" icon={<CircleCheck size={18} />}>
          {words.complete}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 5 }} spacing="sm">
        <Figure name={words.matched} value={format.number(report.matched)} />
        <Figure name={words.delivered} value={format.number(report.delivered)} />
        <Figure name={words.pending} value={format.number(report.pending)} />
        <Figure name={words.failedCount} value={format.number(report.failed)} />
        <Figure name={words.skipped} value={format.number(report.skipped)} />
      </SimpleGrid>
      {report.missingEventIds.length > 0 && (
        <Spoiler maxHeight={120} showLabel={common.more} hideLabel={common.close}>
          <Code block aria-label={words.missingIds} style={{ whiteSpace: 'pre-wrap' }}>
            {report.missingEventIds.join('\n')}
          </Code>
        </Spoiler>
      )}
    </Stack>
  );
}
