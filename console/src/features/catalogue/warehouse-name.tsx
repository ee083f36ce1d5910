import { useList } from '../../app/api.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';

const WAREHOUSES_MAX = 200;

function useWarehouses() {
  const may = useMay();
  const list = useList('/v2/warehouses', {
    query: { limit: WAREHOUSES_MAX },
    enabled: may('products:read'),
  });
  return list.data?.pages.flatMap(({ items }) => items) ?? [];
}

/** The name of a warehouse by its code; the code itself for people who may not read warehouses. */
export function useWarehouseName(): (code: string) => string {
  const names = new Map(useWarehouses().map((each) => [each.code, each.name]));
  return (code) => names.get(code) ?? code;
}

/** The name of a zone by its code and warehouse; the code itself for people who may not read warehouses. */
export function useZoneName(): (warehouse: string, code: string) => string {
  const list = useWarehouses();
  return (warehouse, code) =>
    list.find((each) => each.code === warehouse)?.zones.find((zone) => zone.code === code)?.name ?? code;
}

/** A warehouse by its name. */
export const WarehouseText = ({ code }: { code: string }) => useWarehouseName()(code);

/** For permanent records, because names can change and codes do not. */
export function WarehouseWithCode({ code }: { code: string }) {
  const name = useWarehouseName()(code);
  return (
    <>
      {name !== code && `${name} · `}
      <CodeText>{code}</CodeText>
    </>
  );
}
