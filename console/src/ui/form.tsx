import { LotwardError } from '@lotward/client';
import { Button, Group, Modal, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Draft } from '../app/draft.js';
import { useLanguage, useWords } from '../app/language.js';
import { useAction } from './action.js';
import { commonWords } from './everywhere-words.js';
import { useKeptWindow } from './kept-window.js';
import { Problem } from './problem.js';
import { reasonsInChinese } from './reasons.js';

/** A form in a window: what the service refuses is said at the field it is about. */
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
  submitLabel?: string;
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

export interface FormState<V> {
  values: V;
  set(part: Partial<V>): void;
  /** Value, change and error of a text input; the path is the field's JSON Pointer in the body. */
  text(
    name: keyof V & string,
    path?: string,
  ): {
    value: string;
    onChange: (event: { currentTarget: { value: string } }) => void;
    error: string | undefined;
  };
  error(path: string): string | undefined;
}

/** What is entered, what is done with it, and what the service says about each field. */
export function useForm<V extends object, R>(props: {
  initial: V;
  /** Where what is entered is kept until it is saved; else it is gone with the page. */
  draft?: Draft<V>;
  run: (values: V) => Promise<R>;
  done: string | ((result: R) => string);
  onDone?: (result: R) => void;
}) {
  const { language } = useLanguage();
  const [entered, setEntered] = useState(props.initial);
  const { draft } = props;
  const values = draft ? draft.value : entered;
  const setValues = (change: (before: V) => V) => {
    if (draft) draft.set(change);
    else setEntered(change);
  };
  const action = useAction({ run: props.run, done: props.done, onDone: props.onDone, quiet: true });
  const issues = action.error instanceof LotwardError ? action.error.errors : [];
  const error = (path: string) => {
    const issue = issues.find((each) => each.path === path);
    return (
      issue && (language === 'zh-CN' ? (reasonsInChinese[issue.reason] ?? issue.message) : issue.message)
    );
  };
  const set = (part: Partial<V>) => setValues((before) => ({ ...before, ...part }));
  const form: FormState<V> = {
    values,
    set,
    error,
    text: (name, path = `/${name}`) => ({
      value: String(values[name] ?? ''),
      onChange: (event) => set({ [name]: event.currentTarget.value } as Partial<V>),
      error: error(path),
    }),
  };
  const submit = (event: { preventDefault(): void }) => {
    event.preventDefault();
    action.mutate(values);
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
  const { form, action, submit } = useForm(props);
  return (
    <form onSubmit={submit}>
      <Stack>
        {props.children(form)}
        {action.isError && <Problem error={action.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={action.isPending}>
            {props.submitLabel ?? words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
