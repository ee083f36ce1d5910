import { LotwardError } from '@lotward/client';
import { Alert, Button, Group, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { type Language, useLanguage, useWords } from '../app/language.js';
import { commonWords } from './everywhere-words.js';
import { reasonsInChinese } from './reasons.js';

/** What went wrong, in the language of whoever reads it. */
function explain(error: unknown, language: Language, notReached: string): string {
  if (!(error instanceof LotwardError)) return notReached;
  const [issue] = error.errors;
  if (!issue) return error.message;
  return language === 'zh-CN' ? (reasonsInChinese[issue.reason] ?? issue.message) : issue.message;
}

export function useExplain(): (error: unknown) => string {
  const { language } = useLanguage();
  const { notReached } = useWords(commonWords);
  return (error) => explain(error, language, notReached);
}

/** Stands where something should have been. */
export function Problem({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const words = useWords(commonWords);
  const explained = useExplain()(error);
  const requestId = error instanceof LotwardError ? error.requestId : null;
  return (
    <Alert color="red" variant="light" icon={<CircleAlert size={18} />} title={words.failed} role="alert">
      <Text size="sm">{explained}</Text>
      {requestId && (
        <Text size="xs" c="dimmed" mt={4}>
          {words.requestId} {requestId}
        </Text>
      )}
      {onRetry && (
        <Group mt="sm">
          <Button size="xs" variant="light" color="red" onClick={onRetry}>
            {words.retry}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
