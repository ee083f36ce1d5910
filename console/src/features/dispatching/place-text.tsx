import { Text, type TextProps } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { rangeText } from '../catalogue/storage-text.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { Expiry } from '../stock/expiry.js';
import { dispatchWords } from './dispatch-words.js';
import type { PickGoods } from './pick-goods.js';

type Storage = NonNullable<ReturnType<PickGoods['productOf']>>['storage'];

/** Where goods are stored: the warehouse and the storage temperature. */
export function usePlaceText(): (warehouse: string, storage: Storage | undefined) => string {
  const format = useFormat();
  const warehouseName = useWarehouseName();
  return (code, storage) => {
    const { temperatureMin = null, temperatureMax = null } = storage ?? {};
    const temperature = rangeText(temperatureMin, temperatureMax, '°C', format);
    return [warehouseName(code), temperature].filter(Boolean).join(' · ');
  };
}

/** The labelled expiry date of a batch, if known. */
export function BatchExpiry({ date, ...looks }: { date: string | null | undefined } & TextProps) {
  const words = useWords(dispatchWords);
  if (date === undefined) return null;
  return (
    <Text component="div" {...looks}>
      <Text span inherit c="dimmed">
        {words.expiry}
      </Text>{' '}
      <Expiry date={date} />
    </Text>
  );
}

/** A labelled batch number in large type. */
export function BatchTitle({ batchNo }: { batchNo: string }) {
  const words = useWords(dispatchWords);
  return (
    <Text fz="xl" fw={700} style={{ overflowWrap: 'anywhere' }}>
      {batchNo === '' ? (
        words.noBatch
      ) : (
        <>
          <Text span fz="md" fw={400} c="dimmed">
            {words.batch}
          </Text>{' '}
          <CodeText>{batchNo}</CodeText>
        </>
      )}
    </Text>
  );
}
