import { Alert, Box, Button, Group, Modal, Progress, Stack, Table, Text, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { commonWords } from '../everywhere-words.js';
import { useExplain } from '../problem.js';
import { type BulkRow, type BulkRun, useBulkRun } from './bulk-run.js';
import { listWords } from './list-words.js';
import type { Selection } from './selection.js';

/** An action for many rows, each handled separately. */
export interface BulkAction<I> {
  label: string;
  icon?: ReactNode;
  question: string;
  /** Asked once, applied to each row. */
  reason?: 'required' | 'optional';
  /** False if it is not possible for this row now, which is then skipped and reported. */
  isPossible: (item: I) => boolean;
  run: (item: I, reason: string, idempotencyKey: string) => Promise<unknown>;
  /** Runs once after the last row and refreshes what has changed. */
  settle: () => Promise<void>;
}

/** Shown above a list with selected rows: their number, and the actions for them. */
export function BulkBar<I>({
  selection,
  actions,
}: {
  selection: Selection<I>;
  actions: readonly BulkAction<I>[];
}) {
  const words = useWords(listWords);
  const format = useFormat();
  const [started, setStarted] = useState<{ action: BulkAction<I>; items: readonly I[] } | null>(null);
  const { items } = selection;
  return (
    <>
      {items.length > 0 && (
        <Alert variant="light" p="xs" mb="sm" className="bulk-bar no-print">
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600} aria-live="polite">
              {words.selected(format.number(items.length))}
            </Text>
            <Group gap="xs">
              {actions.map((action) => (
                <Button
                  key={action.label}
                  size="xs"
                  leftSection={action.icon}
                  disabled={!items.some(action.isPossible)}
                  onClick={() => setStarted({ action, items })}
                >
                  {words.run(action.label, format.number(items.filter(action.isPossible).length))}
                </Button>
              ))}
              <Button variant="default" size="xs" onClick={selection.clear}>
                {words.clearSelection}
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
      {started && (
        <BulkWindow
          action={started.action}
          items={started.items}
          nameOf={selection.nameOf}
          onClose={(isDone) => {
            setStarted(null);
            if (isDone) selection.clear();
          }}
        />
      )}
    </>
  );
}

function BulkWindow<I>({
  action,
  items,
  nameOf,
  onClose,
}: {
  action: BulkAction<I>;
  items: readonly I[];
  nameOf: (item: I) => string;
  onClose: (isDone: boolean) => void;
}) {
  const words = useWords(commonWords);
  // The rows as they were when the window opened, because finished rows no longer qualify.
  const [possible] = useState(() => items.filter(action.isPossible));
  const leftOut = items.filter((item) => !possible.includes(item));
  const run = useBulkRun(possible, action);
  return (
    <Modal
      opened
      onClose={() => onClose(run.hasStarted)}
      title={action.label}
      size="lg"
      closeOnClickOutside={!run.hasStarted}
      closeOnEscape={!run.isRunning}
      withCloseButton={!run.isRunning}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      {run.hasStarted ? (
        <Outcomes run={run} nameOf={nameOf} onClose={() => onClose(true)} />
      ) : (
        <Question
          action={action}
          count={possible.length}
          total={items.length}
          leftOut={leftOut.map(nameOf)}
          onStart={run.start}
          onClose={() => onClose(false)}
        />
      )}
    </Modal>
  );
}

const NAMES_SHOWN = 20;

function Question<I>({
  action,
  count,
  total,
  leftOut,
  onStart,
  onClose,
}: {
  action: BulkAction<I>;
  count: number;
  total: number;
  leftOut: readonly string[];
  onStart: (reason: string) => void;
  onClose: () => void;
}) {
  const common = useWords(commonWords);
  const words = useWords(listWords);
  const format = useFormat();
  const [reason, setReason] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onStart(reason.trim());
      }}
    >
      <Stack>
        <Text size="sm">{action.question}</Text>
        <Text size="sm" fw={600}>
          {words.willRun(format.number(count), format.number(total))}
        </Text>
        {leftOut.length > 0 && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {words.leftOut(format.number(leftOut.length))} {format.list(leftOut.slice(0, NAMES_SHOWN))}
            {leftOut.length > NAMES_SHOWN && ' …'}
          </Text>
        )}
        {action.reason && (
          <Textarea
            label={common.reason}
            required={action.reason === 'required'}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            autosize
            minRows={2}
            maxLength={1000}
            data-autofocus
          />
        )}
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={onClose}
            data-autofocus={action.reason === undefined || undefined}
          >
            {common.cancel}
          </Button>
          <Button type="submit" leftSection={action.icon}>
            {words.run(action.label, format.number(count))}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Each row with its own outcome, those that failed first. */
function Outcomes<I>({
  run,
  nameOf,
  onClose,
}: {
  run: BulkRun<I>;
  nameOf: (item: I) => string;
  onClose: () => void;
}) {
  const common = useWords(commonWords);
  const words = useWords(listWords);
  const format = useFormat();
  const counted = (state: BulkRow<I>['state']) => run.rows.filter((row) => row.state === state).length;
  const [done, failed, waiting] = [counted('done'), counted('failed'), counted('waiting')];
  const said = run.isRunning
    ? words.progress(format.number(done + failed), format.number(run.rows.length))
    : failed === 0 && waiting === 0
      ? words.allDone(format.number(done))
      : format.list([
          words.someFailed(format.number(failed), format.number(done)),
          ...(waiting > 0 ? [words.stopped(format.number(waiting))] : []),
        ]);
  const rank = { failed: 0, running: 1, waiting: 2, done: 3 };
  const rows = run.isRunning ? run.rows : [...run.rows].sort((a, b) => rank[a.state] - rank[b.state]);
  return (
    <Stack>
      <Text fw={600} role="status">
        {said}
      </Text>
      <Progress
        value={((done + failed) / run.rows.length) * 100}
        color={failed > 0 ? 'orange' : 'teal'}
        aria-label={said}
      />
      <Box className="bulk-outcomes" tabIndex={0} role="region" aria-label={words.outcomes}>
        <Table verticalSpacing={4}>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.key}>
                <Table.Td w="38%" style={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}>
                  {nameOf(row.item)}
                </Table.Td>
                <Table.Td>
                  <Outcome row={row} isRunning={run.isRunning} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      <Group justify="flex-end">
        {run.isRunning && (
          <Button variant="default" onClick={run.stop}>
            {words.stop}
          </Button>
        )}
        {!run.isRunning && failed + waiting > 0 && (
          <Button variant="default" onClick={run.retry}>
            {words.retryFailed}
          </Button>
        )}
        <Button onClick={onClose} disabled={run.isRunning}>
          {common.close}
        </Button>
      </Group>
    </Stack>
  );
}

function Outcome<I>({ row, isRunning }: { row: BulkRow<I>; isRunning: boolean }) {
  const words = useWords(listWords);
  const format = useFormat();
  const explain = useExplain();
  if (row.state === 'failed')
    return (
      <Text size="sm" c="red">
        {words.failed}
        {format.colon}
        {explain(row.error)}
      </Text>
    );
  const said = row.state === 'waiting' && !isRunning ? words.notStarted : words[row.state];
  return (
    <Text size="sm" c={row.state === 'done' ? 'var(--mantine-color-teal-light-color)' : 'dimmed'}>
      {said}
    </Text>
  );
}
