import { Alert, Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Check, TriangleAlert, X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../app/api.js';
import { useDraft } from '../../app/draft.js';
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
import { type ScannedGoods, useScanReader } from '../catalogue/scanned-goods.js';
import { dispatchWords } from './dispatch-words.js';
import { basisOf, type Dispatch } from './pick-draft.js';
import { PickedTable } from './picked-table.js';
import { pickingWords } from './picking-words.js';

/** How much of a batch is picked, and how much of that was scanned again. */
function leftOf(dispatch: Dispatch, scans: readonly ScannedGoods[], goods: ScannedGoods): number {
  const picks = dispatch.lines
    .filter((line) => line.productCode === goods.productCode)
    .flatMap((line) => line.picks);
  const isSerialized = goods.tracking === 'serial';
  const isSame = (batchNo: string) => isSerialized || goods.tracking === 'none' || batchNo === goods.batchNo;
  if (isSerialized) {
    const isPicked = picks.some((pick) => pick.serials.includes(goods.serialNo ?? ''));
    const isTwice = scans.some(
      (each) => each.productCode === goods.productCode && each.serialNo === goods.serialNo,
    );
    return isPicked && !isTwice ? 1 : 0;
  }
  const picked = picks.filter((pick) => isSame(pick.batchNo)).reduce((sum, pick) => sum + pick.quantity, 0);
  const scanned = scans
    .filter((each) => each.productCode === goods.productCode && isSame(each.batchNo ?? ''))
    .reduce((sum, each) => sum + each.units, 0);
  return picked - scanned;
}

/** The second pair of eyes. */
export function Recheck({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(pickingWords);
  const format = useFormat();
  const { user } = useSession();
  const read = useScanReader();
  const draft = useDraft<ScannedGoods[]>({
    document: `recheck:${dispatch.dispatchId}`,
    initial: () => [],
    basis: basisOf(dispatch),
    // New picks need a new check of everything.
    rebase: () => [],
  });
  const scans = draft.value;
  const [feedback, setFeedback] = useState<ScanFeedback | null>(null);
  const take = async (code: string) => {
    const reading = await read(code);
    if (!reading.ok) return setFeedback(reading);
    const { goods } = reading;
    if (leftOf(dispatch, draft.read(), goods) < goods.units)
      return setFeedback({ ok: false, text: words.notPicked });
    draft.set((before) => [...before, goods]);
    setFeedback({ ok: true, text: words.counted(goods.productName, goods.batchNo ?? '') });
  };
  const picked = dispatch.lines.flatMap((line) => line.picks).reduce((sum, pick) => sum + pick.quantity, 0);
  const checked = scans.reduce((sum, each) => sum + each.units, 0);
  return (
    <Panel title={words.recheck} hint={words.recheckHint}>
      <Stack>
        {dispatch.pickedBy === user?.email && (
          <Alert color="orange" icon={<TriangleAlert size={18} />}>
            {words.samePerson}
          </Alert>
        )}
        <DraftNotice restoredFrom={draft.restoredFrom} onDiscard={draft.discard} />
        <ScanBox onCode={take} feedback={feedback} />
        {scans.length > 0 && (
          <Group>
            <Text size="sm" fw={600}>
              {words.checkedOf(format.number(checked), format.number(picked))}
            </Text>
            <Button variant="subtle" size="compact-sm" onClick={draft.discard}>
              {words.clearScans}
            </Button>
          </Group>
        )}
        <PickedTable dispatch={dispatch} />
        <Group justify="flex-end">
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
          <Pass dispatch={dispatch} codes={scans.map((each) => each.code)} onDone={() => draft.finish()} />
        </Group>
      </Stack>
    </Panel>
  );
}

function Pass({ dispatch, codes, onDone }: { dispatch: Dispatch; codes: string[]; onDone: () => void }) {
  const words = useWords(pickingWords);
  const names = useWords(dispatchWords);
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button leftSection={<Check size={16} />} onClick={open}>
        {words.pass}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.pass}
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
