import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { Panel } from '../../ui/page.js';
import { useExplainIssue } from '../../ui/problem.js';
import { importWords } from './import-words.js';
import { RefusedRows } from './refused-rows.js';
import type { ImportRun } from './use-import.js';

/** The progress and, at the end, the result of the rows. */
export function ImportProgress({ run, rows }: { run: ImportRun; rows: number }) {
  const words = useWords(importWords);
  const all = run.report?.progress.rows ?? rows;
  const done = run.report?.progress.done ?? 0;
  const text = words.progressText(done, all);
  return (
    <Stack>
      <Panel>
        <Group wrap="nowrap">
          <Progress.Root size="xl" style={{ flex: 1 }}>
            <Progress.Section
              value={all === 0 ? 100 : (done / all) * 100}
              aria-label={words.progress}
              aria-valuetext={text}
            />
          </Progress.Root>
          <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
            {text}
          </Text>
          {run.state === 'running' && (
            <Button variant="default" onClick={run.stop} disabled={run.report === null}>
              {words.stop}
            </Button>
          )}
        </Group>
      </Panel>
      {run.state === 'ended' && run.report && <Result report={run.report} left={all - done} />}
    </Stack>
  );
}

function Result({ report, left }: { report: NonNullable<ImportRun['report']>; left: number }) {
  const words = useWords(importWords);
  const isDone = report.status === 'done';
  return (
    <>
      <Alert
        role="status"
        color={report.refusedCount > 0 || !isDone ? 'orange' : 'teal'}
        title={isDone ? words.finished : words.stopped}
      >
        <StoppedReason report={report} />
        {words.summary(report.created, report.updated, report.refusedCount)}
        {left > 0 && ` ${words.notDone(left)}`}
      </Alert>
      {report.refused.length > 0 && <RefusedRows report={report} />}
    </>
  );
}

/** Why the service stopped the import, if it did. */
export function StoppedReason({ report }: { report: NonNullable<ImportRun['report']> }) {
  const explain = useExplainIssue();
  const { stoppedReason: reason, stoppedMessage: message } = report;
  if (reason === null) return null;
  return <Text size="sm">{explain({ path: null, reason, message: message ?? reason })}</Text>;
}
