import { Button, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ArrowRightLeft, OctagonPause, Scale } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { choiceField, numberField, serialsOf, textOrNull } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { WarehousePicker } from '../catalogue/pickers.js';
import { QuantityInput, ReasonInput, SerialsInput } from './goods-fields.js';
import { operationWords } from './operation-words.js';
import { stockWords } from './stock-words.js';

/** The goods of a stock operation. The form asks for the batch only if it is not given. */
export interface About {
  productCode: string;
  batchNo?: string;
  warehouse?: string;
}

interface Draft {
  batchNo: string;
  warehouse: string | null;
  to: string | null;
  quantity: number | null;
  expiryDate: string;
  extent: 'batch' | 'quantity' | 'serials';
  category: 'logistics' | 'quality';
  serials: string;
  reason: string;
}

const draftFor = (about: About): Draft => ({
  batchNo: about.batchNo ?? '',
  warehouse: about.warehouse ?? null,
  to: null,
  quantity: null,
  expiryDate: '',
  extent: 'batch',
  category: 'logistics',
  serials: '',
  reason: '',
});

/** One draft per operation and stock. */
const draftName = (action: string, { productCode, batchNo = '', warehouse = '' }: About): string =>
  `stock-${action}:${[productCode, batchNo, warehouse].join('/')}`;

const serialsGiven = (draft: Draft) => {
  const serials = serialsOf(draft.serials);
  return serials.length === 0 ? {} : { serials };
};

function useTracking(about: About) {
  const product = useResource('/v2/products/{id}', { path: { id: about.productCode } });
  return product.data?.tracking ?? 'batch';
}

function BatchInput({ about, form }: { about: About; form: FormState<Draft> }) {
  const words = useWords(stockWords);
  if (useTracking(about) === 'none') return null;
  return (
    <TextInput
      label={words.batch}
      {...CODE_INPUT}
      required
      readOnly={about.batchNo !== undefined}
      maxLength={64}
      {...form.text('batchNo')}
    />
  );
}

function CategoryInput({ form }: { form: FormState<Draft> }) {
  const words = useWords(operationWords);
  return (
    <Select
      label={words.category}
      description={words.categoryHint}
      data={(['quality', 'logistics'] as const).map((value) => ({ value, label: words.categories[value] }))}
      allowDeselect={false}
      {...choiceField(form, 'category')}
    />
  );
}

const OpenButton = ({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) => (
  <Button variant="default" leftSection={icon} onClick={onClick}>
    {label}
  </Button>
);

/** Corrects a balance. */
export function AdjustButton({ about }: { about: About }) {
  const words = useWords(operationWords);
  const tracking = useTracking(about);
  const [opened, { open, close }] = useDisclosure();
  const run = (draft: Draft) =>
    api.post('/v2/stock/adjustments', {
      body: {
        productCode: about.productCode,
        warehouse: draft.warehouse ?? '',
        batchNo: draft.batchNo.trim(),
        quantityDelta: draft.quantity ?? 0,
        reason: draft.reason.trim(),
        ...(draft.expiryDate === '' ? {} : { expiryDate: draft.expiryDate }),
        ...serialsGiven(draft),
      },
    });
  return (
    <>
      <OpenButton label={words.adjust} icon={<Scale size={16} />} onClick={open} />
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.adjust}
        draft={draftName('adjust', about)}
        submitLabel={words.adjust}
        initial={draftFor(about)}
        run={run}
        done={words.adjusted}
      >
        {(form) => (
          <Stack>
            <Text size="sm">{words.adjustHint}</Text>
            <WarehousePicker required {...choiceField(form, 'warehouse')} />
            <BatchInput about={about} form={form} />
            <NumberInput
              label={words.delta}
              description={words.deltaHint}
              required
              allowDecimal={false}
              {...numberField(form, 'quantity', '/quantityDelta')}
            />
            {about.batchNo === undefined && tracking !== 'none' && (
              <TextInput
                type="date"
                label={words.newBatchExpiry}
                description={words.newBatchExpiryHint}
                {...form.text('expiryDate')}
              />
            )}
            {tracking === 'serial' && <SerialsInput {...form.text('serials')} />}
            <ReasonInput required {...form.text('reason')} />
          </Stack>
        )}
      </FormWindow>
    </>
  );
}

/** Moves stock to another warehouse. */
export function TransferButton({ about }: { about: About }) {
  const words = useWords(operationWords);
  const tracking = useTracking(about);
  const [opened, { open, close }] = useDisclosure();
  const run = (draft: Draft) =>
    api.post('/v2/stock/transfers', {
      body: {
        productCode: about.productCode,
        batchNo: draft.batchNo.trim(),
        from: draft.warehouse ?? '',
        to: draft.to ?? '',
        quantity: draft.quantity ?? 0,
        reason: textOrNull(draft.reason),
        ...serialsGiven(draft),
      },
    });
  return (
    <>
      <OpenButton label={words.transfer} icon={<ArrowRightLeft size={16} />} onClick={open} />
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.transfer}
        draft={draftName('transfer', about)}
        submitLabel={words.transfer}
        initial={draftFor(about)}
        run={run}
        done={words.transferred}
      >
        {(form) => (
          <Stack>
            <Text size="sm">{words.transferHint}</Text>
            <BatchInput about={about} form={form} />
            <WarehousePicker {...choiceField(form, 'warehouse', '/from')} label={words.from} required />
            <WarehousePicker {...choiceField(form, 'to')} label={words.to} required />
            <QuantityInput {...numberField(form, 'quantity')} />
            {tracking === 'serial' && <SerialsInput {...form.text('serials')} />}
            <ReasonInput {...form.text('reason')} />
          </Stack>
        )}
      </FormWindow>
    </>
  );
}

const holdBody = (about: About, draft: Draft) => ({
  productCode: about.productCode,
  batchNo: draft.batchNo.trim(),
  warehouse: draft.warehouse,
  category: draft.category,
  reason: draft.reason.trim(),
  ...(draft.extent === 'quantity' ? { quantity: draft.quantity } : {}),
  ...(draft.extent === 'serials' ? { serials: serialsOf(draft.serials) } : {}),
});

/** Keeps stock from being sold. */
export function HoldButton({ about }: { about: About }) {
  const words = useWords(operationWords);
  const tracking = useTracking(about);
  const mayHoldForQuality = useMay()('quality:write');
  const [opened, { open, close }] = useDisclosure();
  const initial: Draft = { ...draftFor(about), category: mayHoldForQuality ? 'quality' : 'logistics' };
  const extents = (
    tracking === 'serial' ? (['batch', 'serials'] as const) : (['batch', 'quantity'] as const)
  ).map((value) => ({ value, label: words.extents[value] }));
  return (
    <>
      <OpenButton label={words.hold} icon={<OctagonPause size={16} />} onClick={open} />
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.hold}
        draft={draftName('hold', about)}
        submitLabel={words.hold}
        initial={initial}
        run={(draft) => api.post('/v2/stock/holds', { body: holdBody(about, draft) })}
        done={words.held}
      >
        {(form) => (
          <Stack>
            <BatchInput about={about} form={form} />
            <WarehousePicker placeholder={words.everywhere} {...choiceField(form, 'warehouse')} />
            <Select
              label={words.extent}
              data={extents}
              allowDeselect={false}
              {...choiceField(form, 'extent')}
            />
            {form.values.extent === 'quantity' && <QuantityInput {...numberField(form, 'quantity')} />}
            {form.values.extent === 'serials' && <SerialsInput {...form.text('serials')} />}
            {mayHoldForQuality && <CategoryInput form={form} />}
            <ReasonInput required {...form.text('reason')} />
          </Stack>
        )}
      </FormWindow>
    </>
  );
}
