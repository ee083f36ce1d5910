import { Alert, Button, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { ArrowRightLeft, Download, Tag } from 'lucide-react';
import { useState } from 'react';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { choiceField, textOrNull } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import type { LabelGoods } from '../../ui/labels/label-goods.js';
import { PrintLabelsButton } from '../../ui/labels/label-selection.js';
import type { Selection } from '../../ui/list/selection.js';
import { useExplain } from '../../ui/problem.js';
import { WarehousePicker } from '../catalogue/pickers.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { HoldBatchesButton } from '../stock/hold-batches.js';
import { holdBatchesWords } from '../stock/hold-batches-words.js';
import { type BulkResult, batchKey, type ExpiringBatch, holdAll, transferAll } from './bulk.js';
import { expiryWords } from './expiry-words.js';
import { saveBatches, saveOffer } from './files.js';

/** The actions for the selected batches, and what the last one refused. */
export function BulkActions({
  selection,
  warehouse,
}: {
  selection: Selection<ExpiringBatch>;
  warehouse: string | null;
}) {
  const words = useWords(expiryWords);
  const { language } = useLanguage();
  const { close } = useWords(commonWords);
  const may = useMay();
  const [refused, setRefused] = useState<BulkResult['failed']>([]);
  const settle = ({ failed }: BulkResult) => {
    setRefused(failed);
    // Refused batches stay selected, for another attempt.
    selection.clear();
    selection.add(failed.map(({ batch }) => batch));
  };
  const saved = (count: number) =>
    notifications.show({
      message: words.exported(count),
      color: 'teal',
      closeButtonProps: { 'aria-label': close },
    });
  const batches = selection.items;
  return (
    <>
      {refused.length > 0 && <Refused refused={refused} onClose={() => setRefused([])} />}
      {batches.length > 0 && (
        <Alert mb="sm" variant="light" p="xs" className="bulk-bar no-print">
          <Group justify="space-between" gap="xs">
            <Text size="sm" fw={600} aria-live="polite">
              {words.selected(batches.length)}
            </Text>
            <Group gap="xs">
              <Button variant="default" size="xs" onClick={selection.clear}>
                {words.clear}
              </Button>
              {may('inventory:write') && (
                <>
                  <HoldButton batches={batches} warehouse={warehouse} onDone={settle} />
                  <TransferButton batches={batches} warehouse={warehouse} onDone={settle} />
                </>
              )}
              <Button
                variant="default"
                size="xs"
                leftSection={<Download size={14} />}
                onClick={() => saved(saveBatches(batches, language))}
              >
                {words.exportFile}
              </Button>
              <PrintLabelsButton goods={() => batches.map(labelOf)} />
              <Button
                size="xs"
                leftSection={<Tag size={14} />}
                title={words.offerHint}
                onClick={() => saved(saveOffer(batches, language))}
              >
                {words.offer}
              </Button>
            </Group>
          </Group>
        </Alert>
      )}
    </>
  );
}

const labelOf = ({ productCode, productName, batchNo, expiryDate }: ExpiringBatch): LabelGoods => ({
  ...{ productCode, productName, batchNo, expiryDate },
  serialNo: null,
});

function Refused({ refused, onClose }: { refused: BulkResult['failed']; onClose: () => void }) {
  const words = useWords(expiryWords);
  const { close } = useWords(commonWords);
  const explain = useExplain();
  const format = useFormat();
  return (
    <Alert
      mb="sm"
      color="red"
      title={words.refused}
      withCloseButton
      closeButtonLabel={close}
      onClose={onClose}
    >
      <List size="sm">
        {refused.map(({ batch, error }) => (
          <List.Item key={batchKey(batch)}>
            {batch.productName} · {batch.batchNo}
            {format.colon}
            {explain(error)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

interface ButtonProps {
  batches: readonly ExpiringBatch[];
  warehouse: string | null;
  onDone: (result: BulkResult) => void;
}

function HoldButton({ batches, warehouse, onDone }: ButtonProps) {
  const words = useWords(expiryWords);
  const { held } = useWords(holdBatchesWords);
  const warehouseName = useWarehouseName();
  return (
    <HoldBatchesButton
      size="xs"
      batches={batches}
      where={warehouse === null ? words.everywhere : warehouseName(warehouse)}
      run={(hold) => holdAll(batches, { warehouse, ...hold })}
      done={(result) => outcome(result, held, words)}
      onDone={onDone}
    />
  );
}

function TransferButton({ batches, warehouse, onDone }: ButtonProps) {
  const words = useWords(expiryWords);
  const common = useWords(commonWords);
  const [opened, { open, close }] = useDisclosure();
  const warehouseName = useWarehouseName();
  const movable = batches.filter(({ tracking }) => tracking !== 'serial');
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<ArrowRightLeft size={14} />}
        disabled={movable.length === 0}
        onClick={open}
      >
        {words.transfer}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.transfer}
        submitLabel={words.transfer}
        initial={{ to: null as string | null, reason: '' }}
        run={({ to, reason }) =>
          transferAll(movable, { from: warehouse, to: to ?? '', reason: textOrNull(reason) })
        }
        done={(result) => outcome(result, words.transferred, words)}
        onDone={onDone}
      >
        {(form) => (
          <Stack>
            <Text size="sm">
              {words.transferHint(warehouse === null ? words.everywhere : warehouseName(warehouse))}
            </Text>
            <WarehousePicker {...choiceField(form, 'to')} label={words.to} required />
            <Textarea label={common.reason} autosize minRows={2} maxLength={500} {...form.text('reason')} />
          </Stack>
        )}
      </FormWindow>
    </>
  );
}

type Words = ReturnType<typeof useWords<(typeof expiryWords)['en']>>;

const outcome = ({ done, failed }: BulkResult, say: (count: number) => string, words: Words): string =>
  [done > 0 && say(done), failed.length > 0 && words.alsoRefused(failed.length)].filter(Boolean).join(' ');
