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
import { WarehouseWithCode } from '../catalogue/warehouse-name.js';
import { DispatchSheet } from './dispatch-sheet.js';
import { noteWords } from './note-words.js';
import type { Dispatch } from './pick-draft.js';

/** The record of a re-check: what left the warehouse, picked by one person and checked by another. */
export default function RecheckRecord() {
  const words = useWords(noteWords);
  return <DispatchSheet name={words.record}>{(dispatch) => <Sheet dispatch={dispatch} />}</DispatchSheet>;
}

function Sheet({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  const format = useOrganizationFormat();
  return (
    <PrintSheet>
      <SheetFacts
        facts={[
          [words.orderNo, <SheetCode key="order" code={dispatch.orderNo} />],
          [words.customer, dispatch.customerName],
          [words.warehouse, <WarehouseWithCode key="warehouse" code={dispatch.warehouse} />],
          [words.date, <SheetInstant key="date" at={dispatch.dispatchedAt} />],
          [words.result, <Result key="result" dispatch={dispatch} />],
          [words.scanned, format.number(dispatch.scans.length)],
          [words.dispatchNo, <SheetCode key="id" code={dispatch.dispatchId} />],
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
        { name: words.specification, show: ({ line }) => line.specification ?? line.model },
        {
          name: words.manufacturer,
          show: ({ line }) => <SheetLines lines={[line.manufacturer, line.registrationNo]} />,
        },
        {
          name: words.batch,
          show: ({ pick }) => (
            <SheetLines lines={[<SheetCode key="batch" code={pick.batchNo} />, pick.serials.join(', ')]} />
          ),
          fits: 'long',
        },
        { name: words.expiry, show: ({ pick }) => <SheetDay day={pick.expiryDate} />, fits: 'short' },
        { name: words.quantity, show: ({ pick }) => format.number(pick.quantity), align: 'right' },
      ]}
    />
  );
}
