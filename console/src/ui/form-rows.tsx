import { ActionIcon, Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { FormState, RowOf, RowsOf } from './form.js';

/** A row has a key of its own, so that React keeps its inputs when earlier rows are removed. */
export const newRowKey = (): string => crypto.randomUUID();

export interface RowState<R> {
  row: R;
  /** Counted from 0. */
  at: number;
  change(part: Partial<R>): void;
  remove(): void;
  /** The issue of a field of this row. */
  error(field: string): string | undefined;
  /** Value, change handler and error of a text input. */
  text(
    field: keyof R & string,
    as?: string,
  ): {
    value: string;
    error: string | undefined;
    onChange: (event: { currentTarget: { value: string } }) => void;
  };
}

interface RowsProps<V, K extends RowsOf<V>> {
  form: FormState<V>;
  /** The name of the list, in the form and in the body. */
  name: K;
  addLabel: string;
  newRow: () => RowOf<V, K>;
  /** Shown while there are no rows. */
  emptyText?: string;
}

/** The rows of a list in a form, to be added, changed and removed. `children` draws one whole row. */
export function RowList<V extends object, K extends RowsOf<V>>({
  form,
  name,
  addLabel,
  newRow,
  emptyText,
  size = 'sm',
  children,
}: RowsProps<V, K> & { size?: 'xs' | 'sm'; children: (state: RowState<RowOf<V, K>>) => ReactNode }) {
  const rows = form.values[name] as unknown as (RowOf<V, K> & { key: string })[];
  return (
    <Stack gap={size === 'xs' ? 'sm' : 'md'}>
      {rows.length === 0 && emptyText !== undefined && (
        <Text size="sm" c="dimmed">
          {emptyText}
        </Text>
      )}
      {rows.map((row, at) => (
        <Box key={row.key}>{children(rowState(form, name, row, at))}</Box>
      ))}
      <Group>
        <Button
          variant="default"
          size={size}
          leftSection={<Plus size={16} />}
          onClick={() => form.addRow(name, newRow())}
        >
          {addLabel}
        </Button>
      </Group>
    </Stack>
  );
}

function rowState<V extends object, K extends RowsOf<V>>(
  form: FormState<V>,
  name: K,
  row: RowOf<V, K>,
  at: number,
): RowState<RowOf<V, K>> {
  const change = (part: Partial<RowOf<V, K>>) => form.setRow(name, at, part);
  const error = (field: string) => form.error(`/${name}/${at}/${field}`);
  return {
    row,
    at,
    change,
    error,
    remove: () => form.removeRow(name, at),
    text: (field, as = field) => ({
      value: String((row as Record<string, unknown>)[field] ?? ''),
      error: error(as),
      onChange: (event) => change({ [field]: event.currentTarget.value } as Partial<RowOf<V, K>>),
    }),
  };
}

/** Rows of a few adjacent inputs, each with a button that removes it. */
export function FormRows<V extends object, K extends RowsOf<V>>({
  removeLabel,
  children,
  ...props
}: RowsProps<V, K> & {
  removeLabel: (row: number) => string;
  children: (state: RowState<RowOf<V, K>>) => ReactNode;
}) {
  return (
    <RowList {...props} size="xs">
      {(state) => (
        <Group align="flex-start" gap="xs" wrap="nowrap">
          <Group align="flex-start" gap="xs" style={{ flex: 1, minWidth: 0 }}>
            {children(state)}
          </Group>
          <RemoveRow label={removeLabel(state.at + 1)} onClick={state.remove} />
        </Group>
      )}
    </RowList>
  );
}

/** One line of a document: title, product, a button that removes the line, and its other fields. */
export function LineFrame({
  title,
  removeLabel,
  onRemove,
  subject,
  isTextual = false,
  children,
}: {
  title: string;
  /** Without them, the line cannot be removed. */
  removeLabel?: string;
  onRemove?: () => void;
  subject: ReactNode;
  /** The subject is a text, not an input with a label above it. */
  isTextual?: boolean;
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="sm" component="fieldset" m={0}>
      <Text component="legend" size="sm" fw={600} px={4}>
        {title}
      </Text>
      <Group align="flex-start" wrap="nowrap" gap="xs">
        <Box style={{ flex: 1, minWidth: 0 }}>{subject}</Box>
        {onRemove && removeLabel && (
          <RemoveRow label={removeLabel} onClick={onRemove} isTextual={isTextual} />
        )}
      </Group>
      {children}
    </Paper>
  );
}

/** Aligned with an adjacent input that has a label above it, or with a text. */
const RemoveRow = ({
  label,
  onClick,
  isTextual = false,
}: {
  label: string;
  onClick: () => void;
  isTextual?: boolean;
}) => (
  <ActionIcon
    variant="subtle"
    color="red"
    size="lg"
    mt={isTextual ? 0 : 25}
    aria-label={label}
    onClick={onClick}
  >
    <Trash2 size={18} />
  </ActionIcon>
);
