import { Button, Group, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import { Panel } from '../../ui/page.js';
import { useExplainIssue } from '../../ui/problem.js';
import { importWords } from './import-words.js';
import type { ImportReport } from './use-import.js';

const SHOWN_MAX = 100;

type Errors = ImportReport['refused'][number]['errors'];

/** Why a row is refused, with the column of each reason. */
export function RowProblems({ errors }: { errors: Errors }) {
  const explain = useExplainIssue();
  const columnOf = (path: string | null) => (path ?? '').slice(1).replaceAll('/', '.');
  return (
    <Stack gap={2}>
      {errors.map((error) => (
        <Text key={`${error.path} ${error.reason}`} size="sm" c="red">
          {error.path === null ? '' : `${columnOf(error.path)}: `}
          {explain(error)}
        </Text>
      ))}
    </Stack>
  );
}

/** The refused rows, and a button to download all of them. */
export function RefusedRows({ report }: { report: ImportReport }) {
  const words = useWords(importWords);
  const shown = report.refused.slice(0, SHOWN_MAX);
  return (
    <Panel title={words.refusedRows}>
      <Stack>
        <Group>
          <SaveRefused importId={report.importId} />
          {shown.length < report.refusedCount && (
            <Text size="sm" c="dimmed">
              {words.shownOnly(shown.length, report.refusedCount)}
            </Text>
          )}
        </Group>
        <ItemTable
          label={words.refusedRows}
          items={shown}
          rowKey={({ line }) => String(line)}
          columns={[
            { name: words.line, show: ({ line }) => line, align: 'right' },
            { name: words.reason, show: ({ errors }) => <RowProblems errors={errors} /> },
          ]}
        />
      </Stack>
    </Panel>
  );
}

export function SaveRefused({ importId }: { importId: string }) {
  const words = useWords(importWords);
  return (
    <Button
      component="a"
      href={`/exports/imports/${encodeURIComponent(importId)}/refused.csv`}
      download
      variant="default"
      leftSection={<Download size={16} />}
    >
      {words.saveRefused}
    </Button>
  );
}
