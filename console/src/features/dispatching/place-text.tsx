import { Text, type TextProps } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useWarehouseName } from '../catalogue/warehouse-name.js';
import { Expiry } from '../stock/expiry.js';
import type { PickGoods } from './pick-goods.js';
import { pickingWords } from './picking-words.js';

type Storage = NonNullable<ReturnType<PickGoods['productOf']>>['storage'];

/** Where goods are: the warehouse and the temperature at which they are stored there. */
export function usePlaceText(): (warehouse: string, storage: Storage | undefined) => string {
  const words = useWords(pickingWords);
  const format = useFormat();
  const warehouseName = useWarehouseName();
  return (code, storage) => {
    const warehouse = warehouseName(code);
    const { temperatureMin: min = null, temperatureMax: max = null } = storage ?? {};
    if (min === null && max === null) return warehouse;
    const [from, to] = [min, max].map((each) => (each === null ? null : format.number(each)));
    return `${warehouse} · ${words.temperature(from ?? null, to ?? null)}`;
  };
}

/** The expiry date of a batch, as far as it is known. */
export const BatchExpiry = ({ date, ...looks }: { date: string | null | undefined } & TextProps) =>
  date === undefined ? null : (
    <Text component="div" {...looks}>
      <Expiry date={date} />
    </Text>
  );
