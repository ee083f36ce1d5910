import { Stack, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { ItemTable } from '../../ui/data-table.js';
import { Panel } from '../../ui/page.js';
import { Person } from '../../ui/person.js';
import { type Coverage, entryText } from './coverage-text.js';
import { coverageWords } from './coverage-words.js';

/** The products that a certificate covers, one entry per line. */
export function CoverageText({ coverage }: { coverage: Coverage | null }) {
  const words = useWords(coverageWords);
  if (coverage === null) return words.all;
  return (
    <Stack gap={2} component="span" display="inline-flex">
      {coverage.map((entry) => {
        const text = entryText(entry, words);
        return (
          <Text key={text} component="span" size="sm">
            {text}
          </Text>
        );
      })}
    </Stack>
  );
}

interface Change {
  previousCoverage: Coverage | null;
  currentCoverage: Coverage | null;
  changedBy: string;
  changedAt: string;
}

/** Changes of the coverage, newest first. */
export function CoverageHistory({ changes }: { changes: readonly Change[] }) {
  const words = useWords(coverageWords);
  const format = useFormat();
  if (changes.length === 0) return null;
  return (
    <Panel title={words.history}>
      <ItemTable
        items={changes.map((change, at) => ({ ...change, at })).reverse()}
        label={words.history}
        rowKey={(change) => String(change.at)}
        columns={[
          { name: words.changedAt, show: (change) => format.instant(change.changedAt) },
          { name: words.before, show: (change) => <CoverageText coverage={change.previousCoverage} /> },
          { name: words.after, show: (change) => <CoverageText coverage={change.currentCoverage} /> },
          { name: words.changedBy, show: (change) => <Person email={change.changedBy} />, wide: true },
        ]}
      />
    </Panel>
  );
}
