import {
  Box,
  Button,
  Group,
  NumberInput,
  Paper,
  Progress,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CODE_INPUT, CodeText } from '../../ui/code-text.js';
import { numberField, serialsOf } from '../../ui/fields.js';
import { FormWindow } from '../../ui/form.js';
import { dispatchWords } from './dispatch-words.js';
import {
  batchesOf,
  type DispatchLine,
  type HandPick,
  type PickDraft,
  pickedOf,
  scannedOf,
} from './pick-draft.js';
import type { PickGoods } from './pick-goods.js';
import { pickingWords } from './picking-words.js';
import { BatchExpiry } from './place-text.js';

export type Change = (change: (before: PickDraft) => PickDraft) => void;

/** Replaces the manual pick of a batch. */
export const withHand = (draft: PickDraft, pick: HandPick): PickDraft => ({
  ...draft,
  hand: [
    ...draft.hand.filter((each) => each.lineNo !== pick.lineNo || each.batchNo !== pick.batchNo),
    ...(pick.quantity > 0 ? [pick] : []),
  ],
});

/** One line: the quantity to pick and the picked quantity of each batch. */
export function PickLine({
  dispatchId,
  line,
  draft,
  goods,
  place,
  onChange,
}: {
  dispatchId: string;
  line: DispatchLine;
  draft: PickDraft;
  goods: PickGoods;
  place: string;
  onChange: Change;
}) {
  const words = useWords(pickingWords);
  const format = useFormat();
  const tracking = goods.productOf(line.productCode)?.tracking;
  const isSerial = tracking === 'serial';
  const picked = pickedOf(draft, line.lineNo);
  const isDone = picked === line.quantity;
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" align="flex-start" gap="xs">
        <Box>
          <Title order={3} size="h5">
            {line.productName}
          </Title>
          <Text size="sm" c="dimmed">
            <CodeText>{line.productCode}</CodeText> · {place}
          </Text>
        </Box>
        <Group gap={6}>
          {isDone && <CircleCheck size={18} aria-hidden color="var(--mantine-color-teal-6)" />}
          <Text size="sm" fw={600} aria-live="polite">
            {words.pickedOf(format.number(picked), format.number(line.quantity))}
          </Text>
        </Group>
      </Group>
      <Progress
        mt="xs"
        value={(picked / line.quantity) * 100}
        color={isDone ? 'teal' : undefined}
        aria-label={`${words.picking}${format.colon}${line.productName}`}
      />
      <Stack gap="xs" mt="sm">
        {batchesOf(line, draft).map((batch) => (
          <BatchRow
            key={batch.batchNo}
            line={line}
            batch={batch}
            draft={draft}
            expiryDate={goods.expiryOf(line.productCode, batch.batchNo)}
            isSerial={isSerial}
            onChange={onChange}
          />
        ))}
        {tracking !== 'none' && (
          <OtherBatch dispatchId={dispatchId} line={line} isSerial={isSerial} onChange={onChange} />
        )}
      </Stack>
    </Paper>
  );
}

function BatchRow({
  line,
  batch,
  draft,
  expiryDate,
  isSerial,
  onChange,
}: {
  line: DispatchLine;
  batch: { batchNo: string; wanted: number };
  draft: PickDraft;
  expiryDate: string | null | undefined;
  isSerial: boolean;
  onChange: Change;
}) {
  const words = useWords(pickingWords);
  const names = useWords(dispatchWords);
  const format = useFormat();
  const { lineNo } = line;
  const { batchNo } = batch;
  const name = batchNo === '' ? names.noBatch : batchNo;
  const hand = draft.hand.find((pick) => pick.lineNo === lineNo && pick.batchNo === batchNo);
  const scanned = scannedOf(draft, lineNo, batchNo);
  const set = (part: Partial<HandPick>) =>
    onChange((before) =>
      withHand(before, { lineNo, batchNo, quantity: 0, serials: [], reason: null, ...hand, ...part }),
    );
  return (
    <Group gap="md" align="center" justify="space-between" wrap="wrap">
      <Box>
        <Text size="sm">
          {batchNo !== '' && (
            <Text span inherit c="dimmed">
              {names.batch}{' '}
            </Text>
          )}
          <Text span inherit fw={600} className="code">
            {name}
          </Text>
        </Text>
        <BatchExpiry date={expiryDate} size="sm" />
        <Text size="sm" c="dimmed">
          {words.toPick} {format.number(batch.wanted)} · {words.scanned} {format.number(scanned)}
        </Text>
        {hand?.reason && (
          <Text size="xs">
            {names.reason}
            {format.colon}
            {hand.reason}
          </Text>
        )}
      </Box>
      {isSerial ? (
        <SerialsByHand
          label={words.serialsFor(name)}
          serials={hand?.serials ?? []}
          onChange={(serials) => set({ serials, quantity: serials.length })}
        />
      ) : (
        <NumberInput
          label={words.byHand}
          aria-label={words.byHandFor(name)}
          min={0}
          max={line.quantity}
          allowDecimal={false}
          w={120}
          value={hand?.quantity ?? 0}
          onChange={(value) => set({ quantity: Number(value) })}
        />
      )}
    </Group>
  );
}

/** Saved while typing, so that leaving the page half-way loses nothing. */
export function SerialsByHand(props: {
  label: string;
  serials: string[];
  onChange: (serials: string[]) => void;
}) {
  const words = useWords(pickingWords);
  const [typed, setTyped] = useState('');
  const isAsTyped = serialsOf(typed).join('\n') === props.serials.join('\n');
  return (
    <Textarea
      label={words.byHand}
      aria-label={props.label}
      {...CODE_INPUT}
      placeholder={words.serialsHint}
      autosize
      minRows={1}
      maxRows={5}
      w={{ base: '100%', xs: 260 }}
      value={isAsTyped ? typed : props.serials.join('\n')}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        props.onChange(serialsOf(event.currentTarget.value));
      }}
    />
  );
}

interface OtherDraft {
  batchNo: string;
  quantity: number | null;
  serials: string;
  reason: string;
}

export function OtherBatch({
  dispatchId,
  line,
  isSerial,
  onChange,
}: {
  dispatchId: string;
  line: DispatchLine;
  isSerial: boolean;
  onChange: Change;
}) {
  const words = useWords(pickingWords);
  const names = useWords(dispatchWords);
  const [opened, { open, close }] = useDisclosure();
  const initial: OtherDraft = { batchNo: '', quantity: null, serials: '', reason: '' };
  const run = async (other: OtherDraft) => {
    const serials = isSerial ? serialsOf(other.serials) : [];
    const quantity = isSerial ? serials.length : (other.quantity ?? 0);
    const pick = { lineNo: line.lineNo, batchNo: other.batchNo.trim(), quantity, serials };
    onChange((before) => withHand(before, { ...pick, reason: other.reason.trim() }));
  };
  return (
    <Group>
      <Button variant="subtle" size="compact-sm" onClick={open}>
        {words.otherBatch}
      </Button>
      <FormWindow
        opened={opened}
        onClose={close}
        title={words.otherBatch}
        draft={`other-batch:${dispatchId}:${line.lineNo}`}
        submitLabel={words.takeIt}
        initial={initial}
        run={run}
        done={(_) => words.counted(line.productName, '')}
      >
        {(form) => (
          <Stack>
            <Text size="sm">{words.otherBatchHint}</Text>
            <TextInput
              label={names.batch}
              {...CODE_INPUT}
              required
              maxLength={64}
              {...form.text('batchNo')}
            />
            {isSerial ? (
              <Textarea
                label={names.serials}
                {...CODE_INPUT}
                description={words.serialsHint}
                required
                autosize
                minRows={2}
                {...form.text('serials')}
              />
            ) : (
              <NumberInput
                label={names.quantity}
                required
                min={1}
                max={line.quantity}
                allowDecimal={false}
                {...numberField(form, 'quantity')}
              />
            )}
            <Textarea
              label={names.reason}
              required
              autosize
              minRows={2}
              maxLength={500}
              {...form.text('reason')}
            />
          </Stack>
        )}
      </FormWindow>
    </Group>
  );
}
