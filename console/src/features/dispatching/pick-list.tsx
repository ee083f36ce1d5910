import { NOTHING, useOrganizationFormat } from '../../app/format.js';
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
  useNamed,
} from '../../ui/print-sheet.js';
import { useStorageText } from '../catalogue/use-storage-text.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { DispatchSheet } from './dispatch-sheet.js';
import { dispatchWords } from './dispatch-words.js';
import { type Dispatch, quantityText, specificationOf } from './pick-draft.js';
import { usePickGoods } from './pick-goods.js';
import { goodsOf, routeOf } from './pick-route.js';
import { pickingWords } from './picking-words.js';

/** The printed pick list, in the order in which goods are fetched. */
export default function PickList() {
  const words = useWords(pickingWords);
  return <DispatchSheet name={words.pickList}>{(dispatch) => <Sheet dispatch={dispatch} />}</DispatchSheet>;
}

function Sheet({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(pickingWords);
  const names = useWords(dispatchWords);
  return (
    <PrintSheet recordId={dispatch.dispatchId}>
      <SheetFacts
        facts={[
          [names.dispatchNo, dispatch.dispatchNo],
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
          { role: names.recheckedBy, name: dispatch.recheckedBy, at: dispatch.recheckedAt },
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
  const named = useNamed();
  const storageText = useStorageText();
  const rows = routeOf(dispatch.lines, (code) => goods.productOf(code)?.storage).flatMap((line) =>
    goodsOf(line).map((batch) => ({ ...batch, line })),
  );
  const expiryOf = ({ line, batchNo, expiryDate }: (typeof rows)[number]) =>
    expiryDate ?? goods.expiryOf(line.productCode, batchNo);
  return (
    <SheetTable
      label={names.lines}
      items={rows}
      rowKey={({ line, batchNo }) => `${line.lineNo} ${batchNo}`}
      columns={[
        {
          name: names.product,
          show: ({ line }) => (
            <SheetLines
              lines={[
                line.productName,
                <SheetCode key="code" code={line.productCode} />,
                named(words.specification, specificationOf(line)),
              ]}
            />
          ),
        },
        {
          name: words.storage,
          show: ({ line }) => storageText(goods.productOf(line.productCode)?.storage) ?? NOTHING,
        },
        {
          name: names.batch,
          show: (row) => {
            const expiryDate = expiryOf(row);
            return (
              <SheetLines
                lines={[
                  <SheetCode key="batch" code={row.batchNo} />,
                  named(names.expiry, expiryDate && <SheetDay day={expiryDate} />),
                ]}
              />
            );
          },
        },
        {
          name: names.quantity,
          show: ({ line, quantity }) => quantityText(format.number(quantity), line),
          align: 'right',
          fits: 'short',
        },
        {
          name: words.pickedQuantity,
          show: ({ quantity }) => dispatch.pickedAt && format.number(quantity),
          align: 'right',
        },
        { name: words.check, show: () => dispatch.dispatchedAt && '✓' },
      ]}
    />
  );
}
