import { Box, Stack, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { dispatchWords } from './dispatch-words.js';
import { LineCard, ThumbCounter } from './handheld.js';
import {
  batchesOf,
  type Dispatch,
  type DispatchLine,
  type PickDraft,
  pickedOf,
  scannedOf,
} from './pick-draft.js';
import type { PickGoods } from './pick-goods.js';
import { type Change, OtherBatch, SerialsByHand, withHand } from './pick-line.js';
import { pickingWords } from './picking-words.js';
import { BatchExpiry, BatchTitle, usePlaceText } from './place-text.js';

interface LineWork {
  dispatch: Dispatch;
  line: DispatchLine;
  draft: PickDraft;
  goods: PickGoods;
  onChange: Change;
}

/** The line that is being picked, on a handheld. */
export function PickOne(work: LineWork) {
  const { dispatch, line, draft, goods, onChange } = work;
  const words = useWords(pickingWords);
  const format = useFormat();
  const placeText = usePlaceText();
  const product = goods.productOf(line.productCode);
  return (
    <LineCard
      line={line}
      place={placeText(dispatch.warehouse, product?.storage)}
      counted={pickedOf(draft, line.lineNo)}
      wanted={line.quantity}
      label={`${words.picking}${format.colon}${line.productName}`}
    >
      <Stack gap="md" mt="md">
        {batchesOf(line, draft).map((batch) => (
          <BatchByThumb
            key={batch.batchNo}
            {...work}
            batch={batch}
            isSerial={product?.tracking === 'serial'}
          />
        ))}
        {product?.tracking !== 'none' && (
          <OtherBatch
            dispatchId={dispatch.dispatchId}
            line={line}
            isSerial={product?.tracking === 'serial'}
            onChange={onChange}
          />
        )}
      </Stack>
    </LineCard>
  );
}

function BatchByThumb({
  line,
  draft,
  goods,
  batch: { batchNo, wanted },
  isSerial,
  onChange,
}: LineWork & { batch: { batchNo: string; wanted: number }; isSerial: boolean }) {
  const words = useWords(pickingWords);
  const names = useWords(dispatchWords);
  const format = useFormat();
  const { lineNo } = line;
  const name = batchNo === '' ? names.noBatch : batchNo;
  const hand = draft.hand.find((pick) => pick.lineNo === lineNo && pick.batchNo === batchNo);
  const scanned = scannedOf(draft, lineNo, batchNo);
  const byHand = hand?.quantity ?? 0;
  const room = line.quantity - pickedOf(draft, lineNo);
  const blank = { lineNo, batchNo, quantity: 0, serials: [], reason: null };
  const set = (quantity: number) => onChange((before) => withHand(before, { ...blank, ...hand, quantity }));
  const rest = Math.min(room, Math.max(wanted - scanned - byHand, 0));
  return (
    <Box>
      <BatchTitle batchNo={batchNo} />
      <BatchExpiry date={goods.expiryOf(line.productCode, batchNo)} fz="md" />
      <Text size="sm" c="dimmed">
        {words.toPick} {format.number(wanted)} · {words.scanned} {format.number(scanned)}
      </Text>
      {isSerial ? (
        <SerialsByHand
          label={words.serialsFor(name)}
          serials={hand?.serials ?? []}
          onChange={(serials) =>
            onChange((before) => withHand(before, { ...blank, ...hand, serials, quantity: serials.length }))
          }
        />
      ) : (
        <ThumbCounter name={name} byHand={byHand} rest={rest} isFull={room <= 0} onSet={set} />
      )}
    </Box>
  );
}
