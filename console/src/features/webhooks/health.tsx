import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { NOTHING, useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { Loaded, Panel } from '../../ui/page.js';
import type { Webhook } from './webhook-form.js';
import { webhookWords } from './webhook-words.js';

const REFRESH_MS = 15_000;

/** The health of a webhook in five figures. */
export function Health({ webhook: { webhookId, status } }: { webhook: Webhook }) {
  const words = useWords(webhookWords);
  const format = useFormat();
  const { language } = useLanguage();
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const query = useResource('/v2/webhooks/{webhookId}/health', {
    path: { webhookId },
    refreshMs: REFRESH_MS,
  });
  const ms = (value: number | null) => (value === null ? NOTHING : words.ms(format.number(value)));
  return (
    <Panel title={words.health}>
      <Loaded query={query}>
        {(health) => (
          <SimpleGrid cols={{ base: 2, sm: 3, md: 5 }} spacing="sm">
            <Figure
              name={words.successRate}
              value={health.successRate === null ? NOTHING : percent.format(health.successRate)}
              more={words.ofRecent(health.recentAttempts)}
            />
            <Figure
              name={words.waiting}
              value={format.number(health.waiting)}
              more={health.oldestWaitingAt ? words.oldest(format.ago(health.oldestWaitingAt)) : undefined}
            />
            <Figure
              name={words.inARow}
              value={format.number(health.consecutiveFailures)}
              // The limit may have been different when it was disabled.
              more={status === 'disabled' ? undefined : words.disablesAt(health.disabledAfter)}
            />
            <Figure name={words.median} value={ms(health.medianMs)} />
            <Figure name={words.p95} value={ms(health.p95Ms)} />
          </SimpleGrid>
        )}
      </Loaded>
    </Panel>
  );
}

/** A single figure. */
export function Figure({ name, value, more }: { name: string; value: string; more?: string | undefined }) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fz="xl" fw={650}>
        {value}
      </Text>
      {more && (
        <Text size="xs" c="dimmed">
          {more}
        </Text>
      )}
    </Paper>
  );
}
