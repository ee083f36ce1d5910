import { canonicalCode } from '@lotward/client';
import { writeCsv } from '@lotward/client/csv';
import { Alert, Button, Code, FileButton, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileDown, FileUp } from 'lucide-react';
import { useState } from 'react';
import { changedPaths } from '../../app/changes.js';
import { useWords } from '../../app/language.js';
import { refreshPaths } from '../../app/queries.js';
import { Page, Panel } from '../../ui/page.js';
import { saveFile } from '../../ui/save-file.js';
import type { CsvColumn } from './csv-columns.js';
import { ImportPreview } from './import-preview.js';
import { ImportProgress } from './import-progress.js';
import { type FileReading, type ImportRow, readImport } from './import-rows.js';
import { importWords } from './import-words.js';
import { useImport } from './use-import.js';

export interface ImportKind {
  title: string;
  above: { to: '/products' | '/partners'; name: string };
  /** The path of the API that the rows are written to. */
  path: '/v2/products' | '/v2/partners';
  file: string;
  columns: readonly CsvColumn<never>[];
  /** The codes of all existing records. */
  codes: () => AsyncIterable<string>;
  send: (code: string, body: Record<string, unknown>) => Promise<unknown>;
}

/** Imports a CSV file: choose it, see its rows with the problems of each, send it. */
export function ImportPage({ kind }: { kind: ImportKind }) {
  const words = useWords(importWords);
  const [chosen, setChosen] = useState<{ name: string; reading: FileReading } | null>(null);
  const run = useImport(
    (row) => kind.send(row.code, row.body),
    () => refreshPaths(changedPaths(kind.path)),
  );
  const known = useQuery({
    queryKey: ['import', kind.file, chosen?.name],
    enabled: chosen?.reading.ok === true,
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn() {
      const codes = new Set<string>();
      for await (const code of kind.codes()) codes.add(canonicalCode(code));
      return codes;
    },
  });
  const choose = async (file: File | null) => {
    if (!file) return;
    run.reset();
    const bytes = new Uint8Array(await file.arrayBuffer());
    setChosen({ name: file.name, reading: readImport(bytes, kind.columns) });
  };
  const exists = (row: ImportRow) => known.data?.has(canonicalCode(row.code)) ?? false;
  const rows = chosen?.reading.ok ? chosen.reading.rows : [];
  const ready = rows.filter((row) => row.problems.length === 0);
  return (
    <Page title={kind.title} hint={words.hint} above={kind.above}>
      <Panel>
        <Group>
          <FileButton onChange={choose} accept=".csv,text/csv" disabled={run.state === 'running'}>
            {(props) => (
              <Button {...props} variant={chosen ? 'default' : 'filled'} leftSection={<FileUp size={16} />}>
                {chosen ? words.otherFile : words.chooseFile}
              </Button>
            )}
          </FileButton>
          <Button
            variant="default"
            leftSection={<FileDown size={16} />}
            onClick={() => saveFile(kind.file, writeCsv([kind.columns.map((column) => column.name)]))}
          >
            {words.template}
          </Button>
          {chosen && <ChosenFile name={chosen.name} reading={chosen.reading} />}
        </Group>
      </Panel>
      {!chosen && <Columns columns={kind.columns} />}
      {chosen && !chosen.reading.ok && <FileProblem reading={chosen.reading} />}
      {chosen?.reading.ok && (
        <>
          {run.state === 'idle' && known.isPending && (
            <Group role="status">
              <Loader size="sm" />
              <Text size="sm">{words.checking}</Text>
            </Group>
          )}
          {run.state === 'idle' && !known.isPending && (
            <Group>
              <Text size="sm" aria-live="polite">
                {words.counts(ready.length, rows.length - ready.length)}
              </Text>
              <Button disabled={ready.length === 0} onClick={() => run.start(ready, exists)}>
                {words.run(ready.length)}
              </Button>
            </Group>
          )}
          {run.state !== 'idle' && <ImportProgress run={run} />}
          {/* After the import every row exists, so the preview no longer says anything. */}
          {run.state === 'idle' && (
            <ImportPreview header={chosen.reading.header} rows={rows} exists={exists} />
          )}
        </>
      )}
    </Page>
  );
}

function ChosenFile({ name, reading }: { name: string; reading: FileReading }) {
  const words = useWords(importWords);
  return (
    <Text size="sm">
      {name}
      {reading.ok && (
        <Text span c="dimmed">
          {` · ${words.readAs(reading.encoding)}`}
        </Text>
      )}
    </Text>
  );
}

function Columns({ columns }: { columns: readonly CsvColumn<never>[] }) {
  const words = useWords(importWords);
  return (
    <Panel title={words.columns} hint={words.columnsHint}>
      <Group gap="xs">
        {columns.map((column) => (
          <Code key={column.name} fz="sm">
            {column.name}
            {column.required ? ` (${words.required})` : ''}
          </Code>
        ))}
      </Group>
    </Panel>
  );
}

function FileProblem({ reading }: { reading: Extract<FileReading, { ok: false }> }) {
  const words = useWords(importWords);
  return (
    <Alert color="red" role="alert">
      <Stack gap={4}>
        {'column' in reading ? words.file[reading.problem](reading.column) : words.file[reading.problem]}
      </Stack>
    </Alert>
  );
}
