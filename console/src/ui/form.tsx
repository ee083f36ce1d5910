import { LotwardError } from '@lotward/client';
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm as useValues } from '@mantine/form';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Draft, useDraft } from '../app/draft.js';
import { contentOf, mergeEntries } from '../app/draft-content.js';
import { useWords } from '../app/language.js';
import { DraftNotice } from './draft-notice.js';
import { commonWords } from './everywhere-words.js';
import { Problem, resending, useExplainIssue } from './problem.js';
import { useAction } from './use-action.js';

interface WindowProps<V extends object, R> {
  /** Identifies the form among the drafts: its entries are kept until they are saved. Not for forms with secrets. */
  draft?: string | undefined;
  initial: V;
  submitLabel?: string | undefined;
  run: (values: V) => Promise<R>;
  done: string | ((result: R) => string);
  onDone?: ((result: R) => void) | undefined;
  children: (form: FormState<V>) => ReactNode;
}

/**
 * A form in a window. What the service refuses is shown at the field it concerns. If there are entries, it asks before it
 * closes.
 */
export function FormWindow<V extends object, R>({
  opened,
  onClose,
  title,
  size = 'lg',
  ...form
}: WindowProps<V, R> & { opened: boolean; onClose: () => void; title: string; size?: string }) {
  const isChanged = useRef(false);
  const [isAsked, setAsked] = useState(false);
  const close = () => {
    setAsked(false);
    onClose();
  };
  const Body = form.draft === undefined ? FormBody : DraftedBody;
  return (
    <Modal
      opened={opened}
      onClose={() => (isChanged.current ? setAsked(true) : close())}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': useWords(commonWords).close }}
    >
      {opened && (
        <Body
          {...form}
          isChanged={isChanged}
          asked={isAsked ? { onStay: () => setAsked(false) } : null}
          onClose={close}
        />
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
  /** The newest values, even before the page is rendered with them. */
  read(): V;
  set(part: Partial<V>): void;
  setRow<K extends RowsOf<V>>(name: K, at: number, part: Partial<RowOf<V, K>>): void;
  addRow<K extends RowsOf<V>>(name: K, row: RowOf<V, K>): void;
  removeRow(name: RowsOf<V>, at: number): void;
  /** Value, change handler and error of a text input; the path is the field's JSON Pointer in the body. */
  text(
    name: keyof V & string,
    path?: string,
  ): {
    value: string;
    onChange: (event: { currentTarget: { value: string } }) => void;
    error: string | undefined;
  };
  /** The issue of a field by its JSON Pointer; `texts` replaces the general text of a reason. */
  error(path: string, texts?: Readonly<Record<string, string>>): string | undefined;
}

/** The values of a form, its submit action, and the service's error for each field. */
export function useForm<V extends object, R>(props: {
  initial: V;
  /** Where entries are kept until they are saved; by default they are lost with the page. */
  draft?: Draft<V>;
  run: (values: V) => Promise<R>;
  done: string | ((result: R) => string);
  onDone?: ((result: R) => void) | undefined;
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
  return { form, action, submit, retry: resending(action, inner.getValues()) };
}

interface BodyProps<V extends object, R> extends WindowProps<V, R> {
  kept?: Draft<V>;
  /** Whether there are unsaved entries. */
  isChanged: RefObject<boolean>;
  /** Set while the person is asked whether to close the window. */
  asked: { onStay: () => void } | null;
  onClose: () => void;
}

/** Starts with entries of an earlier visit, if there are any. If the record has changed since, both changes are kept. */
function DraftedBody<V extends object, R>(props: BodyProps<V, R>) {
  const [initial] = useState(props.initial);
  const kept = useDraft<V>({
    document: props.draft ?? '',
    initial: () => initial,
    basis: contentOf(initial),
    rebase: (entered, basis) => mergeEntries(entered, basis, initial),
  });
  return <FormBody {...props} initial={initial} kept={kept} />;
}

function FormBody<V extends object, R>({ kept, isChanged, asked, onClose, ...props }: BodyProps<V, R>) {
  const words = useWords(commonWords);
  const submitLabel = props.submitLabel ?? words.save;
  const [initial] = useState(() => contentOf(props.initial));
  const { form, action, submit, retry } = useForm({
    initial: props.initial,
    run: props.run,
    done: props.done,
    ...(kept ? { draft: kept } : {}),
    onDone(result) {
      kept?.finish();
      onClose();
      props.onDone?.(result);
    },
  });
  const { values } = form;
  useEffect(() => {
    isChanged.current = contentOf(values) !== initial;
    return () => {
      isChanged.current = false;
    };
  }, [isChanged, values, initial]);
  const discard = () => {
    kept?.discard();
    onClose();
  };
  const element = useRef<HTMLFormElement>(null);
  // The refused field may be far above the button.
  useEffect(() => {
    if (action.error !== null)
      element.current
        ?.querySelector('[aria-invalid="true"], [role="alert"]')
        ?.scrollIntoView({ block: 'center' });
  }, [action.error]);
  return (
    <form onSubmit={submit} ref={element}>
      <Stack>
        {kept && <DraftNotice restoredFrom={kept.restoredFrom} onDiscard={() => form.set(kept.discard())} />}
        {props.children(form)}
        {action.isError && <Problem error={action.error} action={submitLabel} onRetry={retry} />}
        {asked ? (
          <AskToClose isKept={kept !== undefined} {...asked} onClose={onClose} onDiscard={discard} />
        ) : (
          <Group justify="flex-end">
            <Button variant="default" onClick={discard}>
              {words.cancel}
            </Button>
            <Button type="submit" loading={action.isPending}>
              {submitLabel}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/**
 * Replaces the buttons after Esc or a click outside. The focus moves to the button that changes nothing, and returns
 * afterwards.
 */
function AskToClose(props: {
  isKept: boolean;
  onStay: () => void;
  onClose: () => void;
  onDiscard: () => void;
}) {
  const words = useWords(commonWords);
  const stay = useRef<HTMLButtonElement>(null);
  // Before any key press, because Enter would otherwise submit the form behind the question.
  useLayoutEffect(() => {
    const before = document.activeElement;
    stay.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <Alert color="orange" title={words.closeUnsaved} role="alert">
      <Text size="sm">{props.isKept ? words.closeKept : words.closeLost}</Text>
      <Group mt="sm" justify="flex-end">
        <Button variant="default" onClick={props.onDiscard}>
          {words.discardEntries}
        </Button>
        {props.isKept && (
          <Button variant="default" onClick={props.onClose}>
            {words.keepDraft}
          </Button>
        )}
        <Button ref={stay} onClick={props.onStay}>
          {words.stay}
        </Button>
      </Group>
    </Alert>
  );
}
