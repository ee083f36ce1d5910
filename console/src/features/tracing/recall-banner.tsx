import { Alert, List, Text } from '@mantine/core';
import { OctagonAlert } from 'lucide-react';
import { useZonedFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { PageLink } from '../../ui/links.js';
import { custodyWords } from './custody-words.js';
import type { Trace } from './trace-query.js';
import { traceWords } from './trace-words.js';

/** Above everything else, because a person with the device in hand must see it immediately. */
export function RecallBanner({ recalls }: { recalls: Trace['recalls'] }) {
  const words = useWords(traceWords);
  const custody = useWords(custodyWords);
  const format = useZonedFormat();
  if (recalls.length === 0) return null;
  const isOpen = recalls.some(({ status }) => status === 'open');
  return (
    <Alert
      className="no-print"
      role="alert"
      color="red"
      variant={isOpen ? 'filled' : 'light'}
      icon={<OctagonAlert size={28} aria-hidden />}
      title={
        <Text size="lg" fw={700} component="span">
          {isOpen ? custody.recalledTitle : custody.recalledBefore}
        </Text>
      }
    >
      <List listStyleType="none" spacing={4}>
        {recalls.map((recall) => (
          <List.Item key={recall.recallId}>
            <PageLink
              to="/recalls/$recallId"
              params={{ recallId: recall.recallId }}
              underline="always"
              c="inherit"
              fw={700}
            >
              {recall.recallNo}
            </PageLink>
            {` · ${words.recallClass(recall.class)} · ${custody.since(format.instant(recall.openedAt))}${format.colon}${recall.reason}`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
