import { writeCsv } from '@lotward/client/csv';
import { Alert, Badge, Button, Code, FileButton, Group, Loader, Text } from '@mantine/core';
import { FileDown, FileUp, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { changedPaths } from '../../app/changes.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { refreshPaths } from '../../app/queries.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { Page, Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { saveFile } from '../../ui/save-file.js';
import type { CsvColumn } from './csv-columns.js';
import { importColumnWords } from './import-column-words.js';
import { ImportPreview } from './import-preview.js';
import { ImportProgress, StoppedReason } from './import-progress.js';
import { importWords } from './import-words.js';
import { type FileReading, readFile } from './read-file.js';
import { SaveRefused } from './refused-rows.js';
import { type ImportRun, useImport } from './use-import.js';

export interface ImportKind {
  title: string;
  above: { to: '/products' | '/partners'; name: string };
  /** The API path of the records. */
  path: '/v2/products' | '/v2/partners';
  kind: 'products' | 'partners';
  file: string;
  columns: readonly CsvColumn<never>[];
}

interface Chosen {
  name: string;
  reading: FileReading | null;
}

/** Imports a CSV file in three steps: choose it, preview what the service would refuse, import it. */
export function ImportPage({ kind }: { kind: ImportKind }) {
  const words = useWords(importWords);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const run = useImport(() => refreshPaths(changedPaths(kind.path)));
  const choose = async (file: File | null) => {
    if (!file) return;
    run.reset();
    const reading = readFile(new Uint8Array(await file.arrayBuffer()));
    setChosen({ name: file.name, reading });
    if (reading) await run.check({ kind: kind.kind, content: reading.text });
  };
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
          {chosen && <ChosenFile {...chosen} />}
        </Group>
      </Panel>
      {!chosen && <Replaces kind={kind} />}
      {!chosen && <Columns kind={kind} />}
      {chosen && !chosen.reading && (
        <Alert color="red" role="alert">
          {words.unreadable}
        </Alert>
      )}
      {run.error !== null && <Problem error={run.error} action={words.check} />}
      {chosen?.reading && (
        <Steps run={run} file={chosen.reading} start={(content) => run.start({ kind: kind.kind, content })} />
      )}
    </Page>
  );
}

/** The trial of the file, then its import. */
function Steps({
  run,
  file,
  start,
}: {
  run: ImportRun;
  file: FileReading;
  start: (content: string) => Promise<void>;
}) {
  const words = useWords(importWords);
  const { state, report } = run;
  if (state === 'checking')
    return (
      <Group role="status">
        <Loader size="sm" />
        <Text size="sm">
          {words.checking(report?.progress.done ?? 0, report?.progress.rows ?? file.rows.length)}
        </Text>
      </Group>
    );
  if (state === 'running' || state === 'ended') return <ImportProgress run={run} rows={file.rows.length} />;
  if (state !== 'checked' || !report) return null;
  if (report.status !== 'done')
    return (
      <Alert color="red" role="alert">
        <StoppedReason report={report} />
      </Alert>
    );
  return (
    <>
      <Group>
        <Text size="sm" aria-live="polite">
          {words.counts(report.accepted, report.refusedCount)}{' '}
          {words.checkedCounts(report.created, report.updated)}
        </Text>
        <Button disabled={report.accepted === 0} onClick={() => start(file.text)}>
          {words.run(report.accepted)}
        </Button>
        {report.refusedCount > 0 && <SaveRefused importId={report.importId} />}
      </Group>
      <ImportPreview file={file} report={report} />
    </>
  );
}

function ChosenFile({ name, reading }: Chosen) {
  const words = useWords(importWords);
  return (
    <Text size="sm">
      {name}
      {reading && (
        <Text span c="dimmed">
          {` · ${words.readAs(reading.encoding)}`}
        </Text>
      )}
    </Text>
  );
}

/** Warns that the effect of an import on existing records cannot be undone. */
function Replaces({ kind: { kind } }: { kind: ImportKind }) {
  const words = useWords(importWords);
  return (
    <Alert color="yellow" variant="light" icon={<TriangleAlert size={18} />}>
      {words.replaces}
      {kind === 'partners' && ` ${words.addressesStay}`}
    </Alert>
  );
}

function Columns({ kind: { kind, columns } }: { kind: ImportKind }) {
  const words = useWords(importWords);
  const format = useFormat();
  const meanings: Readonly<Record<string, string>> = useWords(importColumnWords)[kind];
  return (
    <Panel title={words.columns} hint={words.columnsHint}>
      <ItemTable
        label={words.columns}
        items={columns}
        rowKey={({ name }) => name}
        columns={[
          {
            name: words.column,
            show: ({ name, required }) => (
              <Group gap="xs">
                <Code fz="sm">{name}</Code>
                {required && (
                  <Badge variant="light" tt="none" fw={550}>
                    {words.required}
                  </Badge>
                )}
              </Group>
            ),
          },
          { name: words.meaning, show: ({ name }) => meanings[name], wide: 'below' },
          {
            name: words.example,
            show: ({ example }) => <CodeText>{example}</CodeText>,
            wide: 'below',
            below: ({ example }) => (
              <>
                {words.example}
                {format.colon}
                <CodeText>{example}</CodeText>
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}
