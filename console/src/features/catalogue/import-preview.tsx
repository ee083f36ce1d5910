import { Badge, Stack, Text } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import { Panel } from '../../ui/page.js';
import type { ImportRow, RowProblem } from './import-rows.js';
import { importWords } from './import-words.js';

const SHOWN_MAX = 100;
const COLUMNS_SHOWN_MAX = 5;

/** The rows as they were understood, those with problems first. */
export function ImportPreview({
  header,
  rows,
  exists,
}: {
  header: readonly string[];
  rows: readonly ImportRow[];
  exists: (row: ImportRow) => boolean;
}) {
  const words = useWords(importWords);
  const shown = [...rows]
    .sort((a, b) => Number(b.problems.length > 0) - Number(a.problems.length > 0) || a.line - b.line)
    .slice(0, SHOWN_MAX);
  return (
    <Panel title={words.preview} hint={words.previewHint(shown.length, rows.length)}>
      <ItemTable
        label={words.preview}
        items={shown}
        rowKey={(row) => String(row.line)}
        columns={[
          { name: words.line, show: (row) => row.line, align: 'right' },
          {
            name: words.problems,
            show: (row) => <Problems row={row} isKnown={exists(row)} />,
          },
          ...header.slice(0, COLUMNS_SHOWN_MAX).map((name, i) => ({
            name,
            show: (row: ImportRow) => row.cells[i] ?? '',
            ...(i > 0 ? { wide: true as const } : {}),
          })),
        ]}
      />
    </Panel>
  );
}

function Problems({ row, isKnown }: { row: ImportRow; isKnown: boolean }) {
  const words = useWords(importWords);
  const say = (problem: RowProblem): string => {
    if (problem.kind === 'cell') return words.cell[problem.problem](problem.column);
    if (problem.kind === 'cellCount') return words.row.cellCount(problem.cells, problem.columns);
    if (problem.kind === 'missing') return words.row.missing(problem.column);
    if (problem.kind === 'duplicate') return words.row.duplicate(problem.line);
    return words.row.shortened;
  };
  if (row.problems.length === 0)
    return (
      <Badge variant="light" color={isKnown ? 'blue' : 'teal'} tt="none">
        {isKnown ? words.replaces : words.isNew}
      </Badge>
    );
  return (
    <Stack gap={2}>
      {row.problems.map((problem) => (
        <Text key={say(problem)} size="sm" c="red">
          {say(problem)}
        </Text>
      ))}
    </Stack>
  );
}
