import {
  Alert,
  Checkbox,
  Group,
  Radio,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import { TriangleAlert } from 'lucide-react';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CODE_INPUT } from '../../ui/code-text.js';
import { Facts } from '../../ui/page.js';
import { CameraButton } from '../../ui/scanning/camera-button.js';
import { ProductPicker } from '../catalogue/pickers.js';
import { KnownBatches } from './known-batches.js';
import { type Draft, type Extent, namedIn, type RecallClass, type StepProps } from './recall-draft.js';
import { recallWords, wizardWords } from './recall-words.js';

const EXTENTS = ['batches', 'serials', 'product'] as const;
const CLASSES = ['I', 'II', 'III'] as const;
const SEPARATORS = [',', ';', '，', '；', '\n', ' '];

export function ProductStep({
  draft,
  change,
  onCode,
}: StepProps & { onCode: (code: string) => Promise<void> }) {
  const words = useWords(wizardWords);
  return (
    <Stack>
      <Title order={2}>{words.whichProduct}</Title>
      <Group gap="xs" align="flex-end" wrap="nowrap" maw={560}>
        <ProductPicker
          value={draft.productCode}
          // Batches and serial numbers belong to the previously selected product, so they are cleared.
          onChange={(productCode) => change({ productCode, batchNos: [], serials: [] })}
          flex={1}
        />
        <CameraButton onCode={onCode} feedback={null} />
      </Group>
      <Text size="sm" c="dimmed">
        {words.scanHint}
      </Text>
    </Stack>
  );
}

export function ExtentStep({ draft, change }: StepProps) {
  const words = useWords(wizardWords);
  const may = useMay();
  return (
    <Stack>
      <Title order={2}>{words.whatOf}</Title>
      <SegmentedControl
        aria-label={words.whatOf}
        value={draft.extent}
        onChange={(extent) => change({ extent: extent as Extent })}
        data={EXTENTS.map((each) => ({ value: each, label: words.extents[each] }))}
        style={{ alignSelf: 'flex-start', maxWidth: '100%' }}
      />
      {draft.extent === 'product' && <Text size="sm">{words.wholeHint}</Text>}
      {draft.extent === 'batches' && may('inventory:read') && <KnownBatches draft={draft} change={change} />}
      {draft.extent === 'batches' && (
        <TagsInput
          label={words.batchNumbers}
          {...CODE_INPUT}
          description={words.batchNumbersHint}
          value={draft.batchNos}
          onChange={(batchNos) => change({ batchNos })}
          splitChars={SEPARATORS}
          maxTags={1000}
          maw={560}
        />
      )}
      {draft.extent === 'serials' && (
        <TagsInput
          label={words.serialNumbers}
          description={words.serialNumbersHint}
          value={draft.serials}
          onChange={(serials) => change({ serials })}
          splitChars={SEPARATORS}
          maxTags={10_000}
          maw={560}
        />
      )}
    </Stack>
  );
}

export function ReasonStep({ draft, change }: StepProps) {
  const words = useWords(wizardWords);
  return (
    <Stack maw={560}>
      <Title order={2}>{words.steps.reason}</Title>
      <TextInput
        label={words.recallNo}
        {...CODE_INPUT}
        required
        maxLength={64}
        value={draft.recallNo}
        onChange={(event) => change({ recallNo: event.currentTarget.value })}
      />
      <Radio.Group
        label={words.recallClass}
        required
        value={draft.recallClass}
        onChange={(recallClass) => change({ recallClass: recallClass as RecallClass })}
      >
        <Stack gap="xs" mt="xs">
          {CLASSES.map((each) => (
            <Radio key={each} value={each} label={words.classes[each]} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea
        label={words.reason}
        description={words.reasonHint}
        required
        autosize
        minRows={3}
        maxLength={500}
        value={draft.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
      />
    </Stack>
  );
}

export function ConfirmStep({
  draft,
  isChecked,
  onCheck,
}: {
  draft: Draft;
  isChecked: boolean;
  onCheck: (isChecked: boolean) => void;
}) {
  const words = useWords(wizardWords);
  const recall = useWords(recallWords);
  const product = useResource('/v2/products/{id}', { path: { id: draft.productCode ?? '' } });
  const named = namedIn(draft);
  return (
    <Stack>
      <Title order={2}>{words.check}</Title>
      <Facts
        facts={[
          [recall.product, `${product.data?.productName ?? ''} · ${draft.productCode}`],
          [recall.extent, named.length > 0 ? named.join(', ') : recall.extents.product],
          [words.recallNo, draft.recallNo],
          [words.recallClass, draft.recallClass ? words.classes[draft.recallClass] : ''],
          [words.reason, draft.reason],
        ]}
      />
      <Alert color="red" icon={<TriangleAlert size={18} />}>
        {words.confirmText}
      </Alert>
      <Checkbox
        label={words.understood}
        checked={isChecked}
        onChange={(event) => onCheck(event.currentTarget.checked)}
      />
    </Stack>
  );
}
