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
  useNamed,
} from '../../ui/print-sheet.js';
import { WarehouseWithCode } from '../catalogue/warehouse-name.js';
import { DispatchSheet } from './dispatch-sheet.js';
import { noteWords } from './note-words.js';
import { type Dispatch, quantityText, specificationOf } from './pick-draft.js';
import { useManufactureDates } from './pick-goods.js';

/** The record of a re-check: what left the warehouse, picked by one person and checked by another. */
export default function RecheckRecord() {
  const words = useWords(noteWords);
  return <DispatchSheet name={words.record}>{(dispatch) => <Sheet dispatch={dispatch} />}</DispatchSheet>;
}

function Sheet({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  const format = useOrganizationFormat();
  const scanned = dispatch.scans.filter(({ purpose }) => purpose === 'recheck').length;
  const method = scanned === 0 ? words.byHand : words.byScan(format.number(scanned));
  return (
    <PrintSheet recordId={dispatch.dispatchId}>
      <SheetFacts
        cols={3}
        facts={[
          [words.dispatchNo, <SheetCode key="dispatch" code={dispatch.dispatchNo} />],
          [words.customer, dispatch.customerName],
          [words.warehouse, <WarehouseWithCode key="warehouse" code={dispatch.warehouse} />],
          [words.recordDate, <SheetInstant key="date" at={dispatch.dispatchedAt} />],
          [words.result, <Result key="result" dispatch={dispatch} />],
          [words.method, dispatch.recheckedAt && method],
        ]}
      />
      <Picks dispatch={dispatch} />
      <Signatures
        label={words.signatures}
        people={[
          { role: words.pickedBy, name: dispatch.pickedBy, at: dispatch.pickedAt },
          { role: words.recheckedBy, name: dispatch.recheckedBy, at: dispatch.recheckedAt },
        ]}
      />
    </PrintSheet>
  );
}

/** A re-check that passed dispatches the goods; one that did not leaves its reason. */
function Result({ dispatch: { dispatchedAt, recheckReason } }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  if (dispatchedAt !== null) return words.passed;
  return recheckReason === null ? words.notPassed : words.returned(recheckReason);
}

function Picks({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  const format = useOrganizationFormat();
  const named = useNamed();
  const manufacturedOn = useManufactureDates(dispatch);
  const rows = dispatch.lines.flatMap((line) => line.picks.map((pick) => ({ line, pick })));
  return (
    <SheetTable
      dense
      label={words.record}
      items={rows}
      rowKey={({ line, pick }) => `${line.lineNo} ${pick.batchNo}`}
      columns={[
        {
          name: words.product,
          show: ({ line }) => (
            <SheetLines lines={[line.productName, <SheetCode key="code" code={line.productCode} />]} />
          ),
        },
        { name: words.specification, show: ({ line }) => specificationOf(line) },
        {
          name: words.manufacturer,
          show: ({ line }) => (
            <SheetLines lines={[line.manufacturer, named(words.registrationNo, line.registrationNo)]} />
          ),
        },
        {
          name: words.batch,
          show: ({ pick }) => (
            <SheetLines lines={[<SheetCode key="batch" code={pick.batchNo} />, pick.serials.join(', ')]} />
          ),
          fits: 'long',
        },
        {
          name: words.manufactured,
          show: ({ line, pick }) => <SheetDay day={manufacturedOn(line.productCode, pick.batchNo)} />,
          fits: 'short',
        },
        { name: words.expiry, show: ({ pick }) => <SheetDay day={pick.expiryDate} />, fits: 'short' },
        {
          name: words.quantity,
          show: ({ line, pick }) => quantityText(format.number(pick.quantity), line),
          align: 'right',
          fits: 'short',
        },
      ]}
    />
  );
}
