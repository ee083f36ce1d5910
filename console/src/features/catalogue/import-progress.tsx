import { LotwardError } from '@lotward/client';
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import { Panel } from '../../ui/page.js';
import { useExplain } from '../../ui/problem.js';
import { importWords } from './import-words.js';
import type { ImportRun } from './use-import.js';

/** The progress, and at the end the result of the rows. */
export function ImportProgress({ run }: { run: ImportRun }) {
  const words = useWords(importWords);
  const { made, changed, refused } = run.outcome;
  const percent = run.all === 0 ? 100 : (run.done / run.all) * 100;
  const left = run.all - run.done;
  return (
    <Stack>
      <Panel>
        <Group wrap="nowrap">
          <Progress.Root size="xl" style={{ flex: 1 }}>
            <Progress.Section
              value={percent}
              aria-label={words.progress}
              aria-valuetext={words.progressText(run.done, run.all)}
            />
          </Progress.Root>
          <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
            {words.progressText(run.done, run.all)}
          </Text>
          {run.state === 'running' && (
            <Button variant="default" onClick={run.stop}>
              {words.stop}
            </Button>
          )}
        </Group>
      </Panel>
      {run.state !== 'running' && (
        <Alert
          role="status"
          color={refused.length > 0 || run.state === 'stopped' ? 'orange' : 'teal'}
          title={run.state === 'stopped' ? words.stopped : words.finished}
        >
          {words.summary(made, changed, refused.length)}
          {left > 0 && ` ${words.notDone(left)}`}
        </Alert>
      )}
      {refused.length > 0 && <Refused run={run} />}
    </Stack>
  );
}

function Refused({ run }: { run: ImportRun }) {
  const words = useWords(importWords);
  const explain = useExplain();
  const where = (error: unknown) =>
    error instanceof LotwardError && error.errors[0]?.path ? `${error.errors[0].path.slice(1)}: ` : '';
  return (
    <Panel title={words.refusedRows}>
      <ItemTable
        label={words.refusedRows}
        items={run.outcome.refused}
        rowKey={({ row }) => String(row.line)}
        columns={[
          { name: words.line, show: ({ row }) => row.line, align: 'right' },
          { name: words.code, show: ({ row }) => row.code },
          { name: words.reason, show: ({ error }) => where(error) + explain(error) },
        ]}
      />
    </Panel>
  );
}
