import { Text } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import { Panel } from '../../ui/page.js';
import { importWords } from './import-words.js';
import type { FileReading } from './read-file.js';
import { RowProblems } from './refused-rows.js';
import type { ImportReport } from './use-import.js';

const SHOWN_MAX = 100;
const COLUMNS_SHOWN_MAX = 5;

/** The rows of the file with the problems found by the trial run, problem rows first. */
export function ImportPreview({ file, report }: { file: FileReading; report: ImportReport }) {
  const words = useWords(importWords);
  const problems = new Map(report.refused.map(({ line, errors }) => [line, errors]));
  const isGood = ({ line }: { line: number }) => !problems.has(line);
  const shown = [...file.rows.filter((row) => !isGood(row)), ...file.rows.filter(isGood)].slice(0, SHOWN_MAX);
  return (
    <Panel title={words.preview} hint={words.previewHint(shown.length, file.rows.length)}>
      <ItemTable
        label={words.preview}
        items={shown}
        rowKey={(row) => String(row.line)}
        columns={[
          { name: words.line, show: (row) => row.line, align: 'right' },
          {
            name: words.problems,
            show: ({ line }) => {
              const errors = problems.get(line);
              return errors ? <RowProblems errors={errors} /> : <Text size="sm">{words.fine}</Text>;
            },
          },
          ...file.header.slice(0, COLUMNS_SHOWN_MAX).map((name, i) => ({
            name,
            show: (row: FileReading['rows'][number]) => row.cells[i] ?? '',
            ...(i > 0 ? { wide: true as const } : {}),
          })),
        ]}
      />
    </Panel>
  );
}
