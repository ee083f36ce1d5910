import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useAction } from '../../ui/action.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Panel } from '../../ui/page.js';
import { Problem } from '../../ui/problem.js';
import { ScanBox, type ScanFeedback } from '../../ui/scan-box.js';
import { type ScannedGoods, useScanReader } from '../catalogue/scanned-goods.js';
import { assign, bodyOf, type Dispatch, draftOf, isComplete, type PickDraft } from './pick-draft.js';
import { PickLine } from './pick-line.js';
import { pickingWords } from './picking-words.js';

/** Picking: by scanning, or by hand. */
export function Picking({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(pickingWords);
  const [draft, setDraft] = useState<PickDraft>(() => draftOf(dispatch));
  const [asked, setAsked] = useState<ScannedGoods | null>(null);
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null);
  const read = useScanReader();
  const complete = isComplete(dispatch, draft);
  const save = useAction({
    run: () =>
      api.post('/v2/dispatches/{dispatchId}/picks', {
        path: { dispatchId: dispatch.dispatchId },
        body: bodyOf(draft),
      }),
    done: (saved) => (saved.status === 'rechecking' ? words.completed : words.saved),
    onDone: (saved) => setDraft(draftOf(saved)),
    quiet: true,
  });
  const count = (goods: ScannedGoods, reason: string | null) => {
    setDraft((before) => {
      const found = assign(dispatch, before, goods);
      return found.ok
        ? { ...before, scans: [...before.scans, { goods, parts: found.parts, reason }] }
        : before;
    });
    setFeedback({ ok: true, text: words.counted(goods.productName, goods.batchNo ?? '') });
  };
  const take = async (code: string) => {
    const reading = await read(code);
    if (!reading.ok) return setFeedback(reading);
    const { goods } = reading;
    const found = assign(dispatch, draft, goods);
    if (found.ok && found.needsReason) return setAsked(goods);
    if (found.ok) return count(goods, null);
    const texts = {
      notOnList: words.notOnList(goods.productName),
      tooMany: words.tooMany(goods.productName),
      twice: words.twice(goods.serialNo ?? ''),
      noBatchInCode: words.noBatchInCode,
      packageOfPieces: words.packageOfPieces,
    };
    setFeedback({ ok: false, text: texts[found.problem] });
  };
  return (
    <Panel title={words.pickList} hint={words.pickListHint}>
      <Stack>
        {dispatch.recheckReason && <Alert color="orange">{words.failedBefore(dispatch.recheckReason)}</Alert>}
        <ScanBox onCode={take} feedback={feedback} />
        {dispatch.lines.map((line) => (
          <PickLine key={line.lineNo} line={line} draft={draft} onChange={setDraft} />
        ))}
        {save.isError && <Problem error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => setDraft({ hand: [], scans: [] })}>
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
