import { LotwardError } from '@lotward/client';
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useForm as useValues } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Draft } from '../app/draft.js';
import { useWords } from '../app/language.js';
import { useAction } from './action.js';
import { commonWords } from './everywhere-words.js';
import { useKeptWindow } from './kept-window.js';
import { Problem, useExplainIssue } from './problem.js';

/** A form in a window. What the service rejects is shown at the field it concerns. */
export function FormWindow<V extends object, R>({
  opened,
  onClose,
  title,
  initial,
  submitLabel,
  run,
  done,
  onDone,
  size = 'lg',
  children,
}: {
  opened: boolean;
  onClose: () => void;
  title: string;
  initial: V;
  submitLabel?: string | undefined;
  run: (values: V) => Promise<R>;
  done: string | ((result: R) => string);
  onDone?: (result: R) => void;
  size?: string;
  children: (form: FormState<V>) => ReactNode;
}) {
  const kept = useKeptWindow(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      {...kept}
      closeButtonProps={{ 'aria-label': useWords(commonWords).close }}
    >
      {opened && (
        <FormBody
          initial={initial}
          submitLabel={submitLabel}
          run={run}
          done={done}
          onClose={onClose}
          onDone={(result) => {
            onClose();
            onDone?.(result);
          }}
        >
          {children}
        </FormBody>
      )}
    </Modal>
  );
}

/** The names of the fields of `V` that are lists of rows. */
export type RowsOf<V> = { [K in keyof V & string]: V[K] extends readonly object[] ? K : never }[keyof V &
  string];
export type RowOf<V, K extends keyof V> = V[K] extends readonly (infer R)[] ? R : never;

export interface FormState<V> {
  values: V;
  /** The newest values, even before the page is drawn with them. */
  read(): V;
  set(part: Partial<V>): void;
  setRow<K extends RowsOf<V>>(name: K, at: number, part: Partial<RowOf<V, K>>): void;
  addRow<K extends RowsOf<V>>(name: K, row: RowOf<V, K>): void;
  removeRow(name: RowsOf<V>, at: number): void;
  /** Value, change and error of a text input; the path is the field's JSON Pointer in the body. */
  text(
    name: keyof V & string,
    path?: string,
  ): {
    value: string;
    onChange: (event: { currentTarget: { value: string } }) => void;
    error: string | undefined;
  };
  /** The issue of a field by its JSON Pointer; `texts` says more than the general text of a reason. */
  error(path: string, texts?: Readonly<Record<string, string>>): string | undefined;
}

/** The values of a form, its submit action, and the service's error for each field. */
export function useForm<V extends object, R>(props: {
  initial: V;
  /** Where entries are kept until they are saved; without it they are gone with the page. */
  draft?: Draft<V>;
  run: (values: V) => Promise<R>;
  done: string | ((result: R) => string);
  onDone?: (result: R) => void;
}) {
  const explain = useExplainIssue();
  const inner = useValues<V>({
    initialValues: props.draft?.value ?? props.initial,
    onValuesChange: (values) => props.draft?.set(() => values),
  });
  const action = useAction({ run: props.run, done: props.done, onDone: props.onDone, quiet: true });
  const issues = action.error instanceof LotwardError ? action.error.errors : [];
  const error: FormState<V>['error'] = (path, texts = {}) => {
    const issue = issues.find((each) => each.path === path);
    return issue && (texts[issue.reason] ?? explain(issue));
  };
  const rows = (name: string): object[] => (inner.getValues() as Record<string, object[]>)[name] ?? [];
  const set = (part: Partial<V>) => inner.setValues({ ...inner.getValues(), ...part });
  const form: FormState<V> = {
    values: inner.values,
    read: inner.getValues,
    set,
    setRow: (name, at, part) =>
      set({ [name]: rows(name).map((row, i) => (i === at ? { ...row, ...part } : row)) } as Partial<V>),
    addRow: (name, row) => inner.insertListItem(name, row),
    removeRow: (name, at) => inner.removeListItem(name, at),
    error,
    text: (name, path = `/${name}`) => ({
      value: String(inner.values[name] ?? ''),
      onChange: (event) => set({ [name]: event.currentTarget.value } as Partial<V>),
      error: error(path),
    }),
  };
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    action.mutate(inner.getValues());
  };
  return { form, action, submit };
}

function FormBody<V extends object, R>(props: {
  initial: V;
  submitLabel: string | undefined;
  run: (values: V) => Promise<R>;
  done: string | ((result: R) => string);
  onClose: () => void;
  onDone: (result: R) => void;
  children: (form: FormState<V>) => ReactNode;
}) {
  const words = useWords(commonWords);
  const submitLabel = props.submitLabel ?? words.save;
  const { form, action, submit } = useForm(props);
  return (
    <form onSubmit={submit}>
      <Stack>
        {props.children(form)}
        {action.isError && <Problem error={action.error} action={submitLabel} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={action.isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
