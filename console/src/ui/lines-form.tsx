import { Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Draft } from '../app/draft.js';
import { useWords } from '../app/language.js';
import { DraftNotice } from './draft-notice.js';
import { commonWords } from './everywhere-words.js';
import type { FormState, useForm } from './form.js';
import { Panel } from './page.js';
import { Problem } from './problem.js';
import { ScanBox, type ScanFeedback } from './scan-box.js';

interface WithLines {
  lines: readonly object[];
}

/**
 * A document whose lines are entered over some minutes, by hand or by scanning, and kept as a draft until it is submitted.
 */
export function LinesForm<V extends WithLines, R>({
  state: { form, action, submit, retry },
  draft,
  head,
  linesTitle,
  scan,
  submitLabel,
  children,
}: {
  state: ReturnType<typeof useForm<V, R>>;
  draft: Draft<V>;
  head: (form: FormState<V>) => ReactNode;
  linesTitle: string;
  scan: { onCode: (code: string) => Promise<void>; feedback: ScanFeedback | null };
  submitLabel: string;
  /** The lines: a `RowList`. */
  children: (form: FormState<V>) => ReactNode;
}) {
  const { linesMissing } = useWords(commonWords);
  const [isLinesMissing, setLinesMissing] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        setLinesMissing(form.values.lines.length === 0);
        if (form.values.lines.length === 0) event.preventDefault();
        else submit(event);
      }}
    >
      <Stack>
        <DraftNotice restoredFrom={draft.restoredFrom} onDiscard={() => form.set(draft.discard())} />
        {head(form)}
        <Panel title={linesTitle}>
          <Stack>
            <ScanBox {...scan} />
            {children(form)}
            {isLinesMissing && form.values.lines.length === 0 && (
              <Text size="sm" c="red" role="alert">
                {linesMissing}
              </Text>
            )}
          </Stack>
        </Panel>
        {action.isError && <Problem error={action.error} action={submitLabel} onRetry={retry} />}
        <Group justify="flex-end">
          <Button type="submit" loading={action.isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
