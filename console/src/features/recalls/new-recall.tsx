import { readUdi } from '@lotward/client';
import { Button, Group, Stack, Stepper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useDraft } from '../../app/draft.js';
import { useFilters } from '../../app/filters.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { DraftNotice } from '../../ui/draft-notice.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { Page, Panel } from '../../ui/page.js';
import { Problem, resending } from '../../ui/problem.js';
import { useScanner } from '../../ui/scanning/scanner.js';
import { useAction } from '../../ui/use-action.js';
import {
  bodyOf,
  type Draft,
  draftOf,
  isExtentGiven,
  isReasonGiven,
  type RecalledGoods,
  stepOf,
} from './recall-draft.js';
import { RecallPreview } from './recall-preview.js';
import { recallWords, wizardWords } from './recall-words.js';
import { ConfirmStep, ExtentStep, ProductStep, ReasonStep } from './wizard-steps.js';

const STEPS = ['product', 'extent', 'preview', 'reason', 'confirm'] as const;

export default function NewRecall() {
  const words = useWords(wizardWords);
  const { recalls } = useWords(recallWords);
  const [goods] = useFilters(['productCode', 'batchNo', 'serialNo'] as const);
  return (
    <Page title={words.title} hint={words.hint} above={{ to: '/recalls', name: recalls }}>
      <Wizard goods={goods} />
    </Page>
  );
}

function Wizard({ goods }: { goods: RecalledGoods }) {
  const words = useWords(wizardWords);
  const format = useFormat();
  const navigate = useNavigate();
  const kept = useDraft({
    document: `recall:${[goods.productCode, goods.batchNo, goods.serialNo].join('/')}`,
    initial: () => draftOf(goods),
  });
  const draft = kept.value;
  const setDraft = (next: Draft) => kept.set(() => next);
  const change = (part: Partial<Draft>) => kept.set((before) => ({ ...before, ...part }));
  const step = stepOf(draft);
  const setStep = (next: number) => change({ step: next });
  const [isChecked, setChecked] = useState(false);
  const takeLabel = useScannedLabels(draft, setDraft);
  const make = useAction({
    run: () => api.post('/v2/recalls', { body: bodyOf(draft) }),
    done: ({ recallNo, affectedStock, openDispatches, consignees }) =>
      words.done(
        recallNo,
        format.number(affectedStock.reduce((sum, stock) => sum + stock.quantity, 0)),
        openDispatches.length,
        consignees.length,
      ),
    onDone({ recallId }) {
      kept.finish();
      navigate({ to: '/recalls/$recallId', params: { recallId } });
    },
    quiet: true,
  });
  const mayGoOn = [draft.productCode !== null, isExtentGiven(draft), true, isReasonGiven(draft), isChecked][
    step
  ];
  const isLast = step === STEPS.length - 1;
  return (
    <Panel>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!mayGoOn) return;
          if (isLast) make.mutate(undefined);
          else setStep(step + 1);
        }}
      >
        <Stack gap="lg">
          <DraftNotice restoredFrom={kept.restoredFrom} onDiscard={kept.discard} />
          <Progressing step={step} />
          {step === 0 && <ProductStep draft={draft} change={change} onCode={takeLabel} />}
          {step === 1 && <ExtentStep draft={draft} change={change} />}
          {step === 2 && <RecallPreview draft={draft} />}
          {step === 3 && <ReasonStep draft={draft} change={change} />}
          {isLast && <ConfirmStep draft={draft} isChecked={isChecked} onCheck={setChecked} />}
          {make.isError && <Problem error={make.error} action={words.recallNow} onRetry={resending(make)} />}
          <Group justify="space-between">
            <Button variant="default" disabled={step === 0} onClick={() => setStep(step - 1)}>
              {words.back}
            </Button>
            <Button
              type="submit"
              disabled={!mayGoOn}
              loading={make.isPending}
              {...(isLast ? { color: 'red' } : {})}
            >
              {isLast ? words.recallNow : words.next}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function Progressing({ step }: { step: number }) {
  const words = useWords(wizardWords);
  const name = STEPS[step];
  return (
    <>
      <Stepper active={step} size="sm" visibleFrom="md">
        {STEPS.map((each) => (
          <Stepper.Step key={each} label={words.steps[each]} allowStepSelect={false} />
        ))}
      </Stepper>
      <Text size="sm" fw={600} hiddenFrom="md" aria-live="polite">
        {name && words.stepOf(step + 1, STEPS.length, words.steps[name])}
      </Text>
    </>
  );
}

/** A scanned label fills in its fields, from a scanner or, through the returned handler, from a camera. */
function useScannedLabels(draft: Draft, setDraft: (draft: Draft) => void) {
  const { close } = useWords(commonWords);
  const words = useWords(wizardWords);
  const take = async (code: string) => {
    const reading = readUdi(code, { today: new Date().toISOString().slice(0, 10) });
    const tell = (message: string) =>
      notifications.show({ message, color: 'orange', closeButtonProps: { 'aria-label': close } });
    if (!reading.ok || reading.udi.deviceIdentifier === null) {
      tell(words.scannedUnknown);
      return;
    }
    const { batchNo, serialNo, deviceIdentifier } = reading.udi;
    // A package has its own identifier, which only the service can resolve.
    const trace = await api.get('/v2/udi', { query: { code, limit: 1 } }).catch(() => null);
    const productCode = trace && 'product' in trace ? trace.product.productCode : deviceIdentifier;
    if (draft.productCode !== null && draft.productCode !== productCode) {
      tell(words.scannedOther);
      return;
    }
    const extent = serialNo ? 'serials' : batchNo ? 'batches' : draft.extent;
    setDraft({
      ...draft,
      productCode,
      extent,
      batchNos: extent === 'batches' && batchNo ? [...new Set([...draft.batchNos, batchNo])] : draft.batchNos,
      serials: serialNo ? [...new Set([...draft.serials, serialNo])] : draft.serials,
    });
  };
  useScanner(take);
  return take;
}
