import { Button, type ButtonProps, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useWords } from '../app/language.js';
import { commonWords } from './everywhere-words.js';
import { useKeptWindow } from './kept-window.js';
import { Problem, resending } from './problem.js';
import { useAction } from './use-action.js';

interface AskedProps {
  label: string;
  /** Describes the consequences before the user confirms. */
  question: string;
  /** Asks for a reason, which must be given unless optional. */
  reason?: 'required' | 'optional';
  run: (reason: string) => Promise<unknown>;
  done: string;
  danger?: boolean;
  icon?: ReactNode;
  size?: ButtonProps['size'];
  variant?: ButtonProps['variant'];
  disabled?: boolean;
}

/** A button for an action that cannot be undone or needs a reason: it opens a confirmation. */
export function AskedButton({ icon, size, variant, disabled = false, ...asked }: AskedProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button
        variant={variant ?? (asked.danger ? 'light' : 'default')}
        {...(asked.danger ? { color: 'red' } : {})}
        {...(size ? { size } : {})}
        disabled={disabled}
        leftSection={icon}
        onClick={open}
      >
        {asked.label}
      </Button>
      <AskedWindow {...asked} opened={opened} onClose={close} />
    </>
  );
}

type Question = Pick<AskedProps, 'label' | 'question' | 'reason' | 'run' | 'done' | 'danger'>;

/** The confirmation without its button, for a menu item. */
export function AskedWindow({
  opened,
  onClose,
  ...asked
}: Question & { opened: boolean; onClose: () => void }) {
  const words = useWords(commonWords);
  const kept = useKeptWindow(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={asked.label}
      centered
      {...kept}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <AskedBody {...asked} onClose={onClose} />
    </Modal>
  );
}

function AskedBody({
  label,
  question,
  reason,
  run,
  done,
  danger,
  onClose,
}: Question & { onClose: () => void }) {
  const words = useWords(commonWords);
  const [text, setText] = useState('');
  const action = useAction({ run: () => run(text.trim()), done, onDone: onClose, quiet: true });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        action.mutate(undefined);
      }}
    >
      <Stack>
        <Text size="sm">{question}</Text>
        {reason && (
          <Textarea
            label={words.reason}
            required={reason === 'required'}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autosize
            minRows={2}
            maxLength={1000}
            data-autofocus
          />
        )}
        {action.isError && <Problem error={action.error} action={label} onRetry={resending(action)} />}
        <Group justify="flex-end">
          {/* Gets the focus, so that pressing Enter without reading changes nothing. */}
          <Button variant="default" onClick={onClose} data-autofocus={reason === undefined || undefined}>
            {words.cancel}
          </Button>
          <Button type="submit" {...(danger ? { color: 'red' } : {})} loading={action.isPending}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Summarizes the entries and asks for confirmation. The focus is on the button that goes back. */
export function ConfirmWindow({
  opened,
  title,
  confirmLabel,
  onConfirm,
  onClose,
  children,
}: {
  opened: boolean;
  title: string;
  confirmLabel: string;
  /** False if something is missing; the window then stays open. */
  onConfirm: () => boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const words = useWords(commonWords);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="lg"
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {words.goBack}
          </Button>
          <Button
            onClick={() => {
              if (onConfirm()) onClose();
            }}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
