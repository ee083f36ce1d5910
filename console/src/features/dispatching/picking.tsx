import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useDraft } from '../../app/draft.js';
import { useWords } from '../../app/language.js';
import { useAction } from '../../ui/action.js';
import { DraftNotice } from '../../ui/draft-notice.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Panel } from '../../ui/page.js';
import { Problem, resending } from '../../ui/problem.js';
import { ScanBox, type ScanFeedback } from '../../ui/scan-box.js';
import { type ScannedGoods, useScanReader } from '../catalogue/scanned-goods.js';
import {
  assign,
  basisOf,
  bodyOf,
  type Dispatch,
  draftOf,
  isComplete,
  type PickProblem,
  rebase,
} from './pick-draft.js';
import { PickLine } from './pick-line.js';
import { pickingWords } from './picking-words.js';

/** Picking: by scanning, or by hand. */
export function Picking({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(pickingWords);
  const draft = useDraft({
    document: `picks:${dispatch.dispatchId}`,
    initial: () => draftOf(dispatch),
    basis: basisOf(dispatch),
    rebase: (stored) => rebase(dispatch, stored),
  });
  const [asked, setAsked] = useState<ScannedGoods | null>(null);
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null);
  const read = useScanReader();
  const complete = isComplete(dispatch, draft.value);
  const save = useAction({
    run: () =>
      api.post('/v2/dispatches/{dispatchId}/picks', {
        path: { dispatchId: dispatch.dispatchId },
        body: bodyOf(draft.read()),
      }),
    done: (saved) => (saved.status === 'rechecking' ? words.completed : words.saved),
    onDone: (saved) => draft.finish(draftOf(saved)),
    quiet: true,
  });
  const count = (goods: ScannedGoods, reason: string | null) => {
    const found = assign(dispatch, draft.read(), goods);
    if (!found.ok) return refuse(goods, found.problem);
    draft.set((before) => ({ ...before, scans: [...before.scans, { goods, parts: found.parts, reason }] }));
    setFeedback({ ok: true, text: words.counted(goods.productName, goods.batchNo ?? '') });
  };
  const take = async (code: string) => {
    const reading = await read(code);
    if (!reading.ok) return setFeedback(reading);
    const found = assign(dispatch, draft.read(), reading.goods);
    if (found.ok && found.needsReason) setAsked(reading.goods);
    else count(reading.goods, null);
  };
  const refuse = (goods: ScannedGoods, problem: PickProblem) => {
    const texts = {
      notOnList: words.notOnList(goods.productName),
      tooMany: words.tooMany(goods.productName),
      twice: words.twice(goods.serialNo ?? ''),
      noBatchInCode: words.noBatchInCode,
      packageOfUnits: words.packageOfUnits,
    };
    setFeedback({ ok: false, text: texts[problem] });
  };
  return (
    <Panel title={words.pickList} hint={words.pickListHint}>
      <Stack>
        {dispatch.recheckReason && <Alert color="orange">{words.failedBefore(dispatch.recheckReason)}</Alert>}
        <DraftNotice restoredFrom={draft.restoredFrom} onDiscard={draft.discard} />
        <ScanBox onCode={take} feedback={feedback} />
        {dispatch.lines.map((line) => (
          <PickLine key={line.lineNo} line={line} draft={draft.value} onChange={draft.set} />
        ))}
        {save.isError && <Problem error={save.error} action={words.save} onRetry={resending(save)} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => draft.set(() => ({ hand: [], scans: [] }))}>
            {words.reset}
          </Button>
          <Button
            variant={complete ? 'filled' : 'default'}
            loading={save.isPending}
            onClick={() => save.mutate(undefined)}
          >
            {complete ? words.complete : words.save}
          </Button>
        </Group>
      </Stack>
      <WrongBatch
        goods={asked}
        onClose={() => setAsked(null)}
        onTake={(goods, reason) => {
          setAsked(null);
          count(goods, reason);
        }}
      />
    </Panel>
  );
}

/** Another batch than the reserved one may be taken, with a reason. */
function WrongBatch({
  goods,
  onClose,
  onTake,
}: {
  goods: ScannedGoods | null;
  onClose: () => void;
  onTake: (goods: ScannedGoods, reason: string) => void;
}) {
  const words = useWords(pickingWords);
  const common = useWords(commonWords);
  const [reason, setReason] = useState('');
  return (
    <Modal
      opened={goods !== null}
      onClose={onClose}
      title={words.wrongBatch}
      centered
      // Scans are discarded by a button only, not by a stray key or click.
      closeOnEscape={false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (goods) onTake(goods, reason.trim());
          setReason('');
        }}
      >
        <Stack>
          <Text size="sm">{words.wrongBatchQuestion(goods?.batchNo ?? goods?.serialNo ?? '')}</Text>
          <Textarea
            label={common.reason}
            required
            autosize
            minRows={2}
            maxLength={200}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common.cancel}
            </Button>
            <Button type="submit">{words.takeIt}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
