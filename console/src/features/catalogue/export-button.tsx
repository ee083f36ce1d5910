import { writeCsv } from '@lotward/client/csv';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { useExplain } from '../../ui/problem.js';
import { saveFile } from '../../ui/save-file.js';
import type { CsvColumn } from './csv-columns.js';
import { importWords } from './import-words.js';

/** Exports everything that matches the filters, as a file that can be imported again. */
export function ExportButton<I>({
  file,
  columns,
  each,
}: {
  file: string;
  columns: readonly CsvColumn<I>[];
  each: () => AsyncIterable<I>;
}) {
  const words = useWords(importWords);
  const { couldNot, close } = useWords(commonWords);
  const closeButtonProps = { 'aria-label': close };
  const explain = useExplain();
  const [running, setRunning] = useState(false);
  const save = async () => {
    setRunning(true);
    try {
      const rows = [];
      for await (const item of each()) rows.push(columns.map((column) => column.write(item)));
      saveFile(file, writeCsv([columns.map((column) => column.name), ...rows]));
      notifications.show({ message: words.exported(rows.length), color: 'teal', closeButtonProps });
    } catch (error) {
      notifications.show({
        title: couldNot(words.exportFile),
        message: explain(error),
        color: 'red',
        closeButtonProps,
      });
    } finally {
      setRunning(false);
    }
  };
  return (
    <Button variant="default" leftSection={<Download size={16} />} loading={running} onClick={save}>
      {words.exportFile}
    </Button>
  );
}
