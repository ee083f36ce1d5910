import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useWords } from '../../app/language.js';
import { commonWords } from '../../ui/everywhere-words.js';
import type { PickDraft } from './pick-draft.js';
import type { PickGoods } from './pick-goods.js';
import { pickingWords } from './picking-words.js';

type Asked = NonNullable<PickDraft['asked']>;

/**
 * A batch other than the reserved one may be taken, with a reason. The question is part of the draft, so it survives leaving
 * the page.
 */
export function WrongBatch({
  asked,
  isAbsent,
  onChange,
  onTake,
}: {
  asked: Asked | undefined;
  isAbsent: PickGoods['isAbsent'];
  /** Undefined: the scan is discarded. */
  onChange: (asked: Asked | undefined) => void;
  onTake: (asked: Asked) => void;
}) {
  const words = useWords(pickingWords);
  const common = useWords(commonWords);
  const batchNo = asked?.goods.batchNo ?? '';
  const isUnknown = asked !== undefined && batchNo !== '' && isAbsent(asked.goods.productCode, batchNo);
  const close = () => onChange(undefined);
  return (
    <Modal
      opened={asked !== undefined}
      onClose={close}
      title={isUnknown ? words.absentBatch : words.wrongBatch}
      centered
      // Only a button discards scans, not a stray key or click.
      closeOnEscape={false}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (asked) onTake(asked);
        }}
      >
        <Stack>
          <Text size="sm">
            {isUnknown
              ? words.absentBatchQuestion(batchNo)
              : words.wrongBatchQuestion(batchNo || (asked?.goods.serialNo ?? ''))}
          </Text>
          <Textarea
            label={common.reason}
            required
            autosize
            minRows={2}
            maxLength={200}
            value={asked?.reason ?? ''}
            onChange={(event) => asked && onChange({ ...asked, reason: event.currentTarget.value })}
            data-autofocus
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {common.cancel}
            </Button>
            <Button type="submit">{words.takeIt}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
