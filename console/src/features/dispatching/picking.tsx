import { Alert, Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api } from '../../app/api.js';
import { useDraft } from '../../app/draft.js';
import { useWords } from '../../app/language.js';
import { DraftNotice } from '../../ui/draft-notice.js';
import { Panel } from '../../ui/page.js';
import { Problem, resending } from '../../ui/problem.js';
import { ScanBox, type ScanFeedback } from '../../ui/scan-box.js';
import { useAction } from '../../ui/use-action.js';
import { type ScannedGoods, useScanReader } from '../catalogue/scanned-goods.js';
import { ThumbBar, useIsHandheld } from './handheld.js';
import {
  assign,
  basisOf,
  bodyOf,
  type Dispatch,
  type DispatchLine,
  draftOf,
  isComplete,
  type PickDraft,
  type PickProblem,
  rebase,
} from './pick-draft.js';
import { type PickGoods, usePickGoods } from './pick-goods.js';
import { type Change, PickLine } from './pick-line.js';
import { PickOne } from './pick-one.js';
import { firstLine, isPicked, lineAfter, routeOf } from './pick-route.js';
import { pickingWords } from './picking-words.js';
import { usePlaceText } from './place-text.js';
import { WrongBatch } from './wrong-batch.js';

/** Picking: by scanning, or by hand. */
export function Picking({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(pickingWords);
  const goods = usePickGoods(dispatch);
  const route = routeOf(dispatch.lines, (code) => goods.productOf(code)?.storage);
  const draft = useDraft({
    document: `picks:${dispatch.dispatchId}`,
    initial: () => draftOf(dispatch),
    basis: basisOf(dispatch),
    rebase: (stored) => rebase(dispatch, stored),
  });
  const [shown, setShown] = useState<number | null>(null);
  const { feedback, take, answer } = useScans(dispatch, draft, (lineNo) =>
    setShown(lineAfter(route, lineNo, (line) => isPicked(line, draft.read()))),
  );
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
  const isHandheld = useIsHandheld();
  const saveButton = (
    <Button fullWidth={isHandheld} loading={save.isPending} onClick={() => save.mutate(undefined)}>
      {complete ? words.complete : words.save}
    </Button>
  );
  const work = { dispatch, route, draft: draft.value, goods, onChange: draft.set };
  return (
    <Panel title={words.picking} {...(isHandheld ? {} : { hint: words.pickListHint })}>
      <Stack>
        {dispatch.recheckReason && <Alert color="orange">{words.failedBefore(dispatch.recheckReason)}</Alert>}
        <DraftNotice restoredFrom={draft.restoredFrom} onDiscard={draft.discard} />
        <ScanBox onCode={take} feedback={feedback} />
        {save.isError && <Problem error={save.error} action={words.save} onRetry={resending(save)} />}
        {isHandheld ? (
          <OneLine {...work} shown={shown} onShow={setShown} saveButton={saveButton} />
        ) : (
          <>
            <AllLines {...work} />
            <Group justify="space-between">
              <Button
                variant="subtle"
                color="gray"
                onClick={() => draft.set(() => ({ hand: [], scans: [] }))}
              >
                {words.reset}
              </Button>
              {saveButton}
            </Group>
          </>
        )}
      </Stack>
      <WrongBatch asked={draft.value.asked} isAbsent={goods.isAbsent} {...answer} />
    </Panel>
  );
}

interface Work {
  dispatch: Dispatch;
  /** The lines in the order in which they are picked. */
  route: readonly DispatchLine[];
  draft: PickDraft;
  goods: PickGoods;
  onChange: Change;
}

function AllLines({ dispatch, route, draft, goods, onChange }: Work) {
  const placeText = usePlaceText();
  return route.map((line) => (
    <PickLine
      key={line.lineNo}
      dispatchId={dispatch.dispatchId}
      line={line}
      draft={draft}
      goods={goods}
      place={placeText(dispatch.warehouse, goods.productOf(line.productCode)?.storage)}
      onChange={onChange}
    />
  ));
}

/** A single line; the next one appears automatically when it is complete. */
function OneLine({
  shown,
  onShow,
  saveButton,
  ...work
}: Work & {
  shown: number | null;
  onShow: (lineNo: number | null) => void;
  saveButton: ReactNode;
}) {
  const { route, draft, onChange } = work;
  const lineNo = shown ?? firstLine(route, (line) => isPicked(line, draft));
  const at = Math.max(
    route.findIndex((line) => line.lineNo === lineNo),
    0,
  );
  const line = route[at];
  if (!line) return null;
  const move = (step: 1 | -1) => onShow(route[(at + step + route.length) % route.length]?.lineNo ?? null);
  const change: Change = (part) => {
    let after = draft;
    onChange((before) => {
      after = part(before);
      return after;
    });
    onShow(lineAfter(route, line.lineNo, (each) => isPicked(each, after)));
  };
  return (
    <>
      <PickOne {...work} line={line} onChange={change} />
      <ThumbBar at={at} count={route.length} onMove={move}>
        {saveButton}
      </ThumbBar>
    </>
  );
}

/** Counts scans in the draft; a batch other than the reserved one needs confirmation first. */
function useScans(
  dispatch: Dispatch,
  draft: { read(): PickDraft; set(change: (before: PickDraft) => PickDraft): void },
  onCounted: (lineNo: number) => void,
) {
  const words = useWords(pickingWords);
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null);
  const read = useScanReader();
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
  const count = (goods: ScannedGoods, reason: string | null) => {
    const found = assign(dispatch, draft.read(), goods);
    if (!found.ok) return refuse(goods, found.problem);
    const { parts } = found;
    draft.set((before) => ({ ...before, scans: [...before.scans, { goods, parts, reason }] }));
    setFeedback({ ok: true, text: words.counted(goods.productName, goods.batchNo ?? '') });
    const last = parts.at(-1);
    if (last) onCounted(last.lineNo);
  };
  const take = async (code: string) => {
    const reading = await read(code);
    if (!reading.ok) return setFeedback(reading);
    const { goods } = reading;
    const found = assign(dispatch, draft.read(), goods);
    if (!found.ok || !found.needsReason) return count(goods, null);
    draft.set((before) => ({ ...before, asked: { goods, reason: '' } }));
    setFeedback({ ok: false, isDoubtful: true, text: words.wrongBatch });
  };
  const ask = (asked: PickDraft['asked']) =>
    draft.set(({ asked: _before, ...rest }) => (asked ? { ...rest, asked } : rest));
  const onTake = ({ goods, reason }: NonNullable<PickDraft['asked']>) => {
    ask(undefined);
    count(goods, reason.trim());
  };
  return { feedback, take, answer: { onChange: ask, onTake } };
}
