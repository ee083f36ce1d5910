import { useOrganizationFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import {
  PrintSheet,
  SheetCode,
  SheetDay,
  SheetFacts,
  SheetInstant,
  SheetLines,
  SheetTable,
  Signatures,
} from '../../ui/print-sheet.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { DispatchSheet } from './dispatch-sheet.js';
import { dispatchWords } from './dispatch-words.js';
import type { Dispatch } from './pick-draft.js';
import { usePickGoods } from './pick-goods.js';
import { goodsOf, routeOf } from './pick-route.js';
import { pickingWords } from './picking-words.js';
import { usePlaceText } from './place-text.js';

/** The pick list on paper, in the order in which the goods are fetched. */
export default function PickList() {
  const words = useWords(pickingWords);
  return (
    <DispatchSheet name={words.pickList} printLabel={words.printList}>
      {(dispatch) => <Sheet dispatch={dispatch} />}
    </DispatchSheet>
  );
}

function Sheet({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(pickingWords);
  const names = useWords(dispatchWords);
  return (
    <PrintSheet>
      <SheetFacts
        facts={[
          [names.order, dispatch.orderNo],
          [names.customer, dispatch.customerName],
          [names.warehouse, <WarehouseText key="warehouse" code={dispatch.warehouse} />],
          [names.createdAt, <SheetInstant key="created" at={dispatch.createdAt} />],
        ]}
      />
      <Goods dispatch={dispatch} />
      <Signatures
        label={words.pickList}
        people={[
          { role: names.pickedBy, name: dispatch.pickedBy, at: dispatch.pickedAt },
          { role: names.recheckedBy, name: null, at: null },
        ]}
      />
    </PrintSheet>
  );
}

function Goods({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(pickingWords);
  const names = useWords(dispatchWords);
  const format = useOrganizationFormat();
  const goods = usePickGoods(dispatch);
  const placeText = usePlaceText();
  const rows = routeOf(dispatch.lines, (code) => goods.productOf(code)?.storage).flatMap((line) =>
    goodsOf(line).map((batch) => ({ ...batch, line })),
  );
  return (
    <SheetTable
      label={names.lines}
      items={rows}
      rowKey={({ line, batchNo }) => `${line.lineNo} ${batchNo}`}
      columns={[
        {
          name: words.place,
          show: ({ line }) => placeText(dispatch.warehouse, goods.productOf(line.productCode)?.storage),
        },
        {
          name: names.product,
          show: ({ line }) => (
            <SheetLines
              lines={[line.productName, <SheetCode key="code" code={line.productCode} />, line.specification]}
            />
          ),
        },
        {
          name: names.batch,
          show: ({ line, batchNo }) => (
            <SheetLines
              lines={[
                <SheetCode key="batch" code={batchNo} />,
                <SheetDay key="expiry" day={goods.expiryOf(line.productCode, batchNo) ?? null} />,
              ]}
            />
          ),
        },
        {
          name: names.quantity,
          show: ({ line, quantity }) => `${format.number(quantity)} ${line.unit ?? ''}`.trim(),
          align: 'right',
          fits: 'short',
        },
        { name: words.pickedQuantity, show: () => null },
        { name: words.check, show: () => null },
      ]}
    />
  );
}
