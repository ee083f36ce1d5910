import {
  Box,
  Button,
  type ButtonProps,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  Textarea,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Gavel } from 'lucide-react';
import { api, useResource } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CODE_INPUT, CodeText } from '../../ui/code-text.js';
import { choiceField } from '../../ui/fields.js';
import { type FormState, FormWindow } from '../../ui/form.js';
import { LineFrame } from '../../ui/form-rows.js';
import { SupplierPicker, WarehousePicker } from '../catalogue/pickers.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { dispositionWords } from './disposition-words.js';
import { bodyOf, type DisposableGoods, type Proposal, type ProposalLine, proposalOf } from './proposal.js';
import { KINDS } from './quality.types.js';

/** Proposes a disposition for goods, for people who may, and opens it afterwards. */
export function ProposeButton({
  goods,
  size = 'sm',
  variant = 'default',
}: {
  goods: readonly DisposableGoods[];
  size?: NonNullable<ButtonProps['size']>;
  variant?: 'default' | 'filled';
}) {
  const words = useWords(dispositionWords);
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  if (!may('quality:write')) return null;
  return (
    <>
      <Button
        size={size}
        variant={variant}
        leftSection={<Gavel size={size === 'xs' ? 14 : 16} />}
        onClick={open}
      >
        {words.propose}
      </Button>
      <ProposeWindow goods={goods} opened={opened} onClose={close} />
    </>
  );
}

/** The form without its button, for a menu item. */
export function ProposeWindow({
  goods,
  opened,
  onClose,
}: {
  goods: readonly DisposableGoods[];
  opened: boolean;
  onClose: () => void;
}) {
  const words = useWords(dispositionWords);
  const navigate = useNavigate();
  return (
    <FormWindow
      opened={opened}
      onClose={onClose}
      title={words.propose}
      submitLabel={words.propose}
      draft={`disposition:${goods.map((each) => [each.productCode, each.batchNo, each.warehouse].join('/')).join()}`}
      initial={proposalOf(goods)}
      run={(proposal) => api.post('/v2/quality/dispositions', { body: bodyOf(proposal) })}
      done={words.proposed}
      onDone={({ dispositionId }) =>
        navigate({ to: '/quality/dispositions/$dispositionId', params: { dispositionId } })
      }
      size="xl"
    >
      {(form) => <Fields form={form} />}
    </FormWindow>
  );
}

function Fields({ form }: { form: FormState<Proposal> }) {
  const words = useWords(dispositionWords);
  const { kind, lines } = form.values;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={words.kind}
          description={kind && words.kindHints[kind]}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={KINDS.map((value) => ({ value, label: words.kinds[value] }))}
          required
          allowDeselect={false}
          data-autofocus
          {...choiceField(form, 'kind')}
        />
        {kind === 'return_to_supplier' && (
          <SupplierPicker
            description={words.supplierHint}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...choiceField(form, 'supplierCode')}
          />
        )}
      </SimpleGrid>
      {lines.map((line, at) => (
        <Line key={line.key} form={form} line={line} at={at} />
      ))}
      <Textarea label={words.reason} required autosize minRows={2} maxLength={500} {...form.text('reason')} />
    </Stack>
  );
}

interface LineProps {
  form: FormState<Proposal>;
  line: ProposalLine;
  at: number;
}

function Line({ form, line, at }: LineProps) {
  const words = useWords(dispositionWords);
  const { goods } = line;
  const product = useResource('/v2/products/{id}', {
    path: { id: goods.productCode },
    enabled: useMay()('products:read'),
  });
  const error = form.error(`/lines/${at}`);
  return (
    <LineFrame
      title={words.lineOf(at + 1)}
      isTextual
      subject={
        <Box>
          <Text size="sm" fw={600}>
            {goods.productName ?? product.data?.productName ?? goods.productCode}
          </Text>
          <Text size="xs" c="dimmed">
            <CodeText>{goods.productCode}</CodeText>
            {' · '}
            {goods.batchNo === '' ? words.noBatch : <CodeText>{goods.batchNo}</CodeText>}
            {' · '}
            {goods.warehouse === null ? words.allWarehouses : <WarehouseText code={goods.warehouse} />}
          </Text>
        </Box>
      }
      {...(form.values.lines.length > 1
        ? { removeLabel: words.removeLine(at + 1), onRemove: () => form.removeRow('lines', at) }
        : {})}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" spacing="xs">
        <WarehouseInput form={form} line={line} at={at} />
        <PartInput form={form} line={line} at={at} isSerialized={product.data?.tracking === 'serial'} />
      </SimpleGrid>
      {error && (
        <Text size="sm" c="var(--mantine-color-error)" mt={4}>
          {error}
        </Text>
      )}
    </LineFrame>
  );
}

/** Shown if the goods may be in several warehouses. */
function WarehouseInput({ form, line, at }: LineProps) {
  const words = useWords(dispositionWords);
  const error = form.error(`/lines/${at}/warehouse`);
  if (line.goods.warehouse !== null && error === undefined && line.warehouse === null) return null;
  return (
    <WarehousePicker
      placeholder={words.allWarehouses}
      value={line.warehouse}
      error={error}
      onChange={(warehouse) => form.setRow('lines', at, { warehouse })}
    />
  );
}

/** Part of the goods: a quantity, or units by serial number. */
function PartInput({ form, line, at, isSerialized }: LineProps & { isSerialized: boolean }) {
  const words = useWords(dispositionWords);
  const format = useFormat();
  const { goods } = line;
  const units = {
    label: words.serials,
    description: words.partHint,
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as const,
    ...(line.serials.length === 0 ? { placeholder: words.allUnits } : {}),
    value: line.serials,
    error: form.error(`/lines/${at}/serials`),
    onChange: (serials: string[]) => form.setRow('lines', at, { serials }),
  };
  if (goods.serials.length > 0)
    return (
      <MultiSelect
        {...units}
        inputWrapperOrder={[...units.inputWrapperOrder]}
        data={[...goods.serials]}
        searchable
        clearable
      />
    );
  if (isSerialized)
    return (
      <TagsInput {...units} {...CODE_INPUT} inputWrapperOrder={[...units.inputWrapperOrder]} clearable />
    );
  return (
    <NumberInput
      label={words.quantity}
      description={goods.quantity === null ? words.partHint : words.wholeOf(format.number(goods.quantity))}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={words.allQuantity}
      min={1}
      {...(goods.quantity === null ? {} : { max: goods.quantity, required: true })}
      allowDecimal={false}
      value={line.quantity ?? ''}
      error={form.error(`/lines/${at}/quantity`)}
      onChange={(value) => form.setRow('lines', at, { quantity: value === '' ? null : Number(value) })}
    />
  );
}
