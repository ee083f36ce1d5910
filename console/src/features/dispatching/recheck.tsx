import { Alert, Button, Flex, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Check, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { api, useList } from '../../app/api.js';
import { type Draft, useDraft } from '../../app/draft.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useSession } from '../../app/session.js';
import { AskedButton } from '../../ui/action.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { DraftNotice } from '../../ui/draft-notice.js';
import { textOrNull } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { Panel } from '../../ui/page.js';
import { ScanBox, type ScanFeedback } from '../../ui/scan-box.js';
import { useScanReader } from '../catalogue/scanned-goods.js';
import { CountTable, OneCount } from './count-rows.js';
import { dispatchWords } from './dispatch-words.js';
import { useIsHandheld } from './handheld.js';
import { basisOf, type Dispatch } from './pick-draft.js';
import { PickedTable } from './picked-table.js';
import { pickingWords } from './picking-words.js';
import {
  codesOf,
  countedPicks,
  countOf,
  EMPTY_RECHECK,
  isAwaited,
  type RecheckDraft,
  type RecheckState,
  rowAfter,
  stateOf,
} from './recheck-draft.js';

/** The check by a second person. The person who picked sees immediately that somebody else must do it. */
export function Recheck({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(pickingWords);
  const { user } = useSession();
  const isOwn = dispatch.pickedBy === user.email;
  // The task list knows whether the organization lets one person do both.
  const waiting = useList('/v2/dispatches', {
    query: { orderId: dispatch.orderId, task: 'dispatches_to_recheck' },
    enabled: isOwn,
  });
  const isAllowed = waiting.data?.pages.some(({ items }) =>
    items.some(({ dispatchId }) => dispatchId === dispatch.dispatchId),
  );
  if (!isOwn || isAllowed) return <Counting dispatch={dispatch} />;
  return (
    <Panel title={words.recheck}>
      <Stack>
        {isAllowed === false && (
          <Alert color="orange" icon={<TriangleAlert size={18} />}>
            {words.samePerson(user.email)}
          </Alert>
        )}
        <PickedTable dispatch={dispatch} />
      </Stack>
    </Panel>
  );
}

/** Counts what was picked, line by line. */
function Counting({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(pickingWords);
  const draft = useDraft<RecheckDraft>({
    document: `counts:${dispatch.dispatchId}`,
    initial: () => EMPTY_RECHECK,
    basis: basisOf(dispatch),
    // New picks invalidate the whole check.
    rebase: () => EMPTY_RECHECK,
  });
  const rows = countedPicks(dispatch, draft.value);
  const [shown, setShown] = useState<string | null>(null);
  const goOn = (key: string) => setShown(rowAfter(countedPicks(dispatch, draft.read()), key)?.key ?? null);
  const { feedback, take } = useRecheckScans(dispatch, draft, goOn);
  const set = (key: string, byHand: number) => {
    draft.set((before) => {
      const { [key]: _before, ...others } = before.counts;
      return { ...before, counts: byHand > 0 ? { ...others, [key]: byHand } : others };
    });
    goOn(key);
  };
  const state = stateOf(rows);
  const isHandheld = useIsHandheld();
  const decision = (
    <Decision dispatch={dispatch} draft={draft} codes={codesOf(draft.value, rows)} state={state} />
  );
  return (
    <Panel title={words.recheck} {...(isHandheld ? {} : { hint: words.countHint })}>
      <Stack>
        <DraftNotice restoredFrom={draft.restoredFrom} onDiscard={draft.discard} />
        <ScanBox onCode={take} feedback={feedback} />
        {state !== 'uncounted' && <Progress rows={rows} onClear={draft.discard} />}
        {isHandheld ? (
          <OneCount dispatch={dispatch} rows={rows} onCount={set} shown={shown} onShow={setShown}>
            {decision}
          </OneCount>
        ) : (
          <>
            <CountTable dispatch={dispatch} rows={rows} onCount={set} />
            <Group justify="flex-end">{decision}</Group>
          </>
        )}
      </Stack>
    </Panel>
  );
}

function useRecheckScans(dispatch: Dispatch, draft: Draft<RecheckDraft>, onCounted: (key: string) => void) {
  const words = useWords(pickingWords);
  const read = useScanReader();
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null);
  const take = async (code: string) => {
    const reading = await read(code);
    if (!reading.ok) return setFeedback(reading);
    const { goods } = reading;
    const before = countedPicks(dispatch, draft.read());
    if (!isAwaited(dispatch, draft.read(), goods)) return setFeedback({ ok: false, text: words.notPicked });
    draft.set(({ scans, counts }) => ({ counts, scans: [...scans, goods] }));
    const changed = countedPicks(dispatch, draft.read()).find((row, i) => row.scanned !== before[i]?.scanned);
    if (changed) onCounted(changed.key);
    setFeedback({ ok: true, text: words.counted(goods.productName, goods.batchNo ?? '') });
  };
  return { feedback, take };
}

function Progress({ rows, onClear }: { rows: ReturnType<typeof countedPicks>; onClear: () => void }) {
  const words = useWords(pickingWords);
  const format = useFormat();
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  return (
    <Group>
      <Text size="sm" fw={600}>
        {words.checkedOf(format.number(sum(countOf)), format.number(sum((row) => row.picked)))}
      </Text>
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        {words.clearScans}
      </Button>
    </Group>
  );
}

/** Passes or fails the re-check. It can pass only if everything was counted and is equal. */
function Decision({
  dispatch,
  draft,
  codes,
  state,
}: {
  dispatch: Dispatch;
  draft: Draft<RecheckDraft>;
  codes: string[];
  state: RecheckState;
}) {
  const words = useWords(pickingWords);
  const isHandheld = useIsHandheld();
  return (
    <Stack gap={6} align="stretch">
      {state !== 'equal' && (
        <Text size="sm" role="status">
          {state === 'differs' ? words.miscounted : words.uncounted}
        </Text>
      )}
      <Flex
        direction={isHandheld ? 'column' : 'row'}
        justify="flex-end"
        align={isHandheld ? 'stretch' : 'center'}
        gap="xs"
      >
        <AskedButton
          label={words.fail}
          question={words.failQuestion}
          reason="required"
          danger
          icon={<X size={16} />}
          run={async (reason) => {
            await api.post('/v2/dispatches/{dispatchId}/recheck', {
              path: { dispatchId: dispatch.dispatchId },
              body: { result: 'fail', reason },
            });
            draft.finish();
          }}
          done={words.failed}
        />
        <Pass dispatch={dispatch} codes={codes} state={state} onDone={() => draft.finish()} />
      </Flex>
    </Stack>
  );
}

function Pass({
  dispatch,
  codes,
  state,
  onDone,
}: {
  dispatch: Dispatch;
  codes: string[];
  state: RecheckState;
  onDone: () => void;
}) {
  const words = useWords(pickingWords);
  const names = useWords(dispatchWords);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<Check size={16} />} disabled={state !== 'equal'} onClick={open}>
        {words.pass}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.pass}
        draft={`recheck-pass:${dispatch.dispatchId}`}
        submitLabel={words.pass}
        initial={{ carrier: '', trackingNo: '' }}
        run={({ carrier, trackingNo }) =>
          api.post('/v2/dispatches/{dispatchId}/recheck', {
            path: { dispatchId: dispatch.dispatchId },
            body: {
              result: 'pass',
              carrier: textOrNull(carrier),
              trackingNo: textOrNull(trackingNo),
              ...(codes.length === 0 ? {} : { scans: codes }),
            },
          })
        }
        done={words.passed}
        onDone={onDone}
      >
        {(form) => (
          <Stack>
            <Text size="sm">{words.passHint}</Text>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput label={names.carrier} maxLength={200} {...form.text('carrier')} />
              <TextInput
                label={names.trackingNo}
                {...CODE_INPUT}
                maxLength={100}
                {...form.text('trackingNo')}
              />
            </SimpleGrid>
          </Stack>
        )}
      </FormWindow>
    </>
  );
}
