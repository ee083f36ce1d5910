import { Box, CloseButton, Group, Loader, Modal, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { CodeText } from '../../ui/code-text.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Problem } from '../../ui/problem.js';
import { useScanner } from '../../ui/scanning/scanner.js';
import { receiptStatus, type Status, StatusBadge } from '../../ui/status.js';
import { useOpening } from '../../ui/use-opening.js';
import { useWords } from '../language.js';
import { useSession } from '../session.js';
import { MarkedText } from './marked-text.js';
import { paletteWords } from './palette-words.js';
import { keepRecent } from './recent.js';
import { KIND_ICONS, type Target } from './targets.js';
import { type TargetGroup, useTargets } from './use-targets.js';

const LIST_HEIGHT = 'min(60vh, 460px)';
const LINE = '1px solid var(--mantine-color-default-border)';

/** Finds records, pages and actions by typed or scanned text. */
export default function Palette({
  opened,
  onClose,
  text,
}: {
  opened: boolean;
  onClose: () => void;
  /** Searched immediately when it opens. */
  text: string;
}) {
  const words = useWords(paletteWords);
  const isSmall = useMediaQuery('(max-width: 36em)');
  const isOpen = useOpening(opened);
  return (
    <Modal.Root opened={isOpen} onClose={onClose} size="lg" fullScreen={isSmall ?? false} yOffset="10vh">
      <Modal.Overlay />
      <Modal.Content aria-label={words.title} data-takes-scans>
        <Modal.Body p={0}>
          <PaletteContent onClose={onClose} initial={text} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function PaletteContent({ onClose, initial }: { onClose: () => void; initial: string }) {
  const words = useWords(paletteWords);
  const { organization, user } = useSession();
  const router = useRouter();
  const id = useId();
  const [text, setText] = useState(initial);
  const [place, setPlace] = useState(0);
  /** Enter was pressed before the results of the text arrived. */
  const [isWaiting, setWaiting] = useState(false);
  const state = useTargets(text);
  const { groups, isSettled } = state;
  const targets = groups.flatMap((group) => group.targets);
  const at = Math.min(place, targets.length - 1);
  const chosen = targets[at];
  const change = (next: string) => {
    setText(next);
    setPlace(0);
    setWaiting(false);
  };
  useScanner((code) => {
    change(code);
    setWaiting(true);
  });

  const open = (target: Target) => {
    if (target.kind !== null) keepRecent(organization.code, user.userId, target);
    onClose();
    router.history.push(target.href);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the results have come
  useEffect(() => {
    if (isWaiting && isSettled && chosen) open(chosen);
    if (isWaiting && isSettled) setWaiting(false);
  }, [isWaiting, isSettled]);

  const onKeyDown = (event: KeyboardEvent) => {
    // An input method uses these keys to choose characters.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && targets.length > 0) {
      event.preventDefault();
      setPlace((at + step + targets.length) % targets.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      if (!isSettled) setWaiting(true);
      else if (chosen) open(chosen);
    }
  };
  return (
    <>
      <Field
        text={text}
        onChange={change}
        onKeyDown={onKeyDown}
        listId={`${id}-list`}
        optionId={chosen ? `${id}-${at}` : undefined}
        isSettled={isSettled}
        onClose={onClose}
      />
      <TargetList id={id} groups={groups} sought={text.trim()} at={at} onPoint={setPlace} onOpen={open} />
      <Outcome state={state} isSought={text.trim() !== ''} />
      <Text size="xs" c="dimmed" px="md" py={8} visibleFrom="sm" style={{ borderTop: LINE }}>
        {words.keys}
      </Text>
      <VisuallyHidden role="status">
        {text.trim() !== '' && isSettled ? words.found(state.foundCount) : ''}
      </VisuallyHidden>
    </>
  );
}

function Field({
  text,
  onChange,
  onKeyDown,
  listId,
  optionId,
  isSettled,
  onClose,
}: {
  text: string;
  onChange: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  listId: string;
  /** The chosen option, on which the keys of the field act. */
  optionId: string | undefined;
  isSettled: boolean;
  onClose: () => void;
}) {
  const words = useWords(paletteWords);
  const { close } = useWords(commonWords);
  return (
    <TextInput
      data-autofocus
      variant="unstyled"
      size="lg"
      px="md"
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      placeholder={words.placeholder}
      aria-label={words.title}
      role="combobox"
      aria-expanded={optionId !== undefined}
      aria-controls={listId}
      aria-activedescendant={optionId}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      leftSection={<Search size={18} aria-hidden />}
      rightSection={
        isSettled ? (
          <CloseButton hiddenFrom="sm" onClick={onClose} aria-label={close} />
        ) : (
          <Loader size={16} />
        )
      }
      styles={{ root: { borderBottom: LINE } }}
    />
  );
}

interface Choosing {
  id: string;
  sought: string;
  at: number;
  onPoint: (index: number) => void;
  onOpen: (target: Target) => void;
}

function TargetList({ groups, ...choosing }: Choosing & { groups: readonly TargetGroup[] }) {
  const words = useWords(paletteWords);
  const first = (at: number) => groups.slice(0, at).reduce((sum, { targets }) => sum + targets.length, 0);
  return (
    <Box
      id={`${choosing.id}-list`}
      role="listbox"
      aria-label={words.title}
      p={groups.length > 0 ? 'xs' : 0}
      style={{ maxHeight: LIST_HEIGHT, overflowY: 'auto' }}
    >
      {groups.map((group, i) => (
        <Options key={group.name} group={group} first={first(i)} {...choosing} />
      ))}
    </Box>
  );
}

/** The outcome of the search, unless the list shows it. */
function Outcome({ state, isSought }: { state: ReturnType<typeof useTargets>; isSought: boolean }) {
  const words = useWords(paletteWords);
  const { groups, hasMore, isSettled, error } = state;
  if (error)
    return (
      <Box p="md">
        <Problem error={error} action={words.open} />
      </Box>
    );
  if (!isSought || !isSettled) return null;
  return (
    <>
      {groups.length === 0 && (
        <Box p="lg" ta="center">
          <Text fw={550}>{words.none}</Text>
          <Text size="sm" c="dimmed">
            {words.noneHint}
          </Text>
        </Box>
      )}
      {hasMore && (
        <Text size="xs" c="dimmed" px="md" pb="sm">
          {words.more}
        </Text>
      )}
    </>
  );
}

function Options({
  group,
  first,
  id,
  sought,
  at,
  onPoint,
  onOpen,
}: Choosing & {
  group: TargetGroup;
  /** The index of the group's first option among all options. */
  first: number;
}) {
  const words = useWords(paletteWords);
  const labelId = `${id}-${group.name}`;
  return (
    <Box role="group" aria-labelledby={labelId}>
      <Text id={labelId} size="xs" fw={600} c="dimmed" px="sm" py={4}>
        {words[group.name]}
      </Text>
      {group.targets.map((target, i) => (
        <Option
          key={target.key}
          id={`${id}-${first + i}`}
          target={target}
          sought={sought}
          isChosen={first + i === at}
          onPoint={() => onPoint(first + i)}
          onOpen={() => onOpen(target)}
        />
      ))}
    </Box>
  );
}

function Option({
  id,
  target,
  sought,
  isChosen,
  onPoint,
  onOpen,
}: {
  id: string;
  target: TargetGroup['targets'][number];
  sought: string;
  isChosen: boolean;
  onPoint: () => void;
  onOpen: () => void;
}) {
  const words = useWords(paletteWords);
  const { kind, title, detail, status } = target;
  const name = <MarkedText text={title} sought={sought} />;
  const Icon = kind === null ? target.icon : KIND_ICONS[kind];
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // The field keeps the focus and receives the keys; `aria-activedescendant` identifies the option.
    <Box
      ref={ref}
      id={id}
      role="option"
      aria-selected={isChosen}
      className="palette-option"
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onOpen}
    >
      <Group gap="sm" wrap="nowrap">
        {Icon && <Icon size={18} strokeWidth={1.8} aria-hidden style={{ flex: 'none' }} />}
        <Box miw={0} flex={1}>
          <Text size="sm" truncate>
            {kind === null || kind === 'product' || kind === 'partner' ? name : <CodeText>{name}</CodeText>}
          </Text>
          {kind !== null && (
            <Text size="xs" c="dimmed" truncate>
              {words.kinds[kind]}
              {detail !== null && (
                <>
                  {' · '}
                  <MarkedText text={detail} sought={sought} />
                </>
              )}
            </Text>
          )}
        </Box>
        {status !== null && (
          <StatusBadge status={kind === 'receipt' ? receiptStatus(status as Status) : (status as Status)} />
        )}
      </Group>
    </Box>
  );
}
