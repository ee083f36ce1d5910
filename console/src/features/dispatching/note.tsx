import { Text } from '@mantine/core';
import { useResource } from '../../app/api.js';
import { useOrganizationFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay, useSession } from '../../app/session.js';
import { Person } from '../../ui/person.js';
import {
  PrintSheet,
  SheetCode,
  SheetDay,
  SheetFacts,
  SheetInstant,
  SheetLines,
  SheetRoom,
  SheetTable,
  useNamed,
} from '../../ui/print-sheet.js';
import { useStorageText } from '../catalogue/use-storage-text.js';
import { WarehouseText } from '../catalogue/warehouse-name.js';
import { DispatchSheet } from './dispatch-sheet.js';
import { Codes, codesOf } from './note-codes.js';
import { noteWords } from './note-words.js';
import { type Dispatch, quantityText, specificationOf } from './pick-draft.js';
import { useManufactureDates, useProductsOf } from './pick-goods.js';

export default function DeliveryNote() {
  const words = useWords(noteWords);
  return (
    <DispatchSheet name={words.note} notIssued={{ title: words.notIssued, hint: words.notIssuedHint }}>
      {(dispatch) => <Sheet dispatch={dispatch} />}
    </DispatchSheet>
  );
}

function Sheet({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  const format = useOrganizationFormat();
  const quantity = dispatch.lines.reduce((sum, line) => sum + line.quantity, 0);
  return (
    <PrintSheet letterhead={false} recordId={dispatch.dispatchId}>
      <Parties dispatch={dispatch} />
      <SheetFacts
        facts={[
          [words.dispatchNo, <SheetCode key="dispatch" code={dispatch.dispatchNo} />],
          [words.orderNo, <SheetCode key="order" code={dispatch.orderNo} />],
          [words.dispatchDate, <SheetInstant key="date" at={dispatch.dispatchedAt} />],
          [words.carrier, dispatch.carrier],
          [words.trackingNo, dispatch.trackingNo],
        ]}
      />
      <Goods dispatch={dispatch} />
      <Text size="sm" ta="right">
        {words.total}
        {format.colon}
        <b>{format.number(quantity)}</b>
      </Text>
      <div className="signatures">
        <SheetFacts
          facts={[
            [words.pickedBy, <Person key="picker" email={dispatch.pickedBy} withEmail />],
            [words.recheckedBy, <Person key="checker" email={dispatch.recheckedBy} withEmail />],
            [words.stamp, <SheetRoom key="stamp" />],
            [words.received, <SheetRoom key="received" />],
          ]}
        />
      </div>
    </PrintSheet>
  );
}

function Parties({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  const may = useMay();
  const { organization } = useSession();
  const partner = useResource('/v2/partners/{code}', {
    path: { code: dispatch.customerCode },
    enabled: may('products:read'),
  });
  const { contact, addresses = [] } = partner.data ?? {};
  // A dispatch does not record which of several delivery addresses it goes to.
  const reached = [contact?.name, contact?.phone].filter((each) => each != null);
  const address = (addresses.length === 1 && addresses[0]?.address) || contact?.address;
  const from = [
    <b key="name">{organization.name}</b>,
    <WarehouseText key="place" code={dispatch.warehouse} />,
  ];
  const to = [
    <b key="name">{dispatch.customerName}</b>,
    <SheetCode key="code" code={dispatch.customerCode} />,
  ];
  return (
    <SheetFacts
      facts={[
        [words.from, <SheetLines key="from" lines={from} />],
        [words.to, <SheetLines key="to" lines={to} />],
        [words.address, address],
        [words.contact, reached.length > 0 && <SheetLines key="contact" lines={reached} />],
      ]}
    />
  );
}

function Goods({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(noteWords);
  const format = useOrganizationFormat();
  const may = useMay();
  const named = useNamed();
  const storageText = useStorageText();
  const productOf = useProductsOf(dispatch);
  const manufacturedOn = useManufactureDates(dispatch);
  const rows = dispatch.lines.flatMap((line) =>
    line.picks.map((pick) => {
      const product = productOf(line.productCode);
      const codes = may('udi:read') ? codesOf(product?.udiDi ?? null, pick) : [];
      return { line, pick, codes, storage: storageText(product?.storage) };
    }),
  );
  return (
    <SheetTable
      dense
      label={words.note}
      items={rows}
      rowKey={({ line, pick }) => `${line.lineNo} ${pick.batchNo}`}
      columns={[
        {
          name: words.product,
          show: ({ line, storage }) => (
            <SheetLines
              lines={[
                <b key="name">{line.productName}</b>,
                <SheetCode key="code" code={line.productCode} />,
                named(words.specification, specificationOf(line)),
                named(words.manufacturer, line.manufacturer),
                named(words.registrationNo, line.registrationNo),
                named(words.storage, storage),
              ]}
            />
          ),
        },
        {
          name: words.batch,
          show: ({ line, pick }) => {
            const manufactured = manufacturedOn(line.productCode, pick.batchNo);
            return (
              <SheetLines
                lines={[
                  <SheetCode key="batch" code={pick.batchNo} />,
                  named(words.manufactured, manufactured && <SheetDay day={manufactured} />),
                  named(words.expiry, pick.expiryDate && <SheetDay day={pick.expiryDate} />),
                  named(
                    words.serials,
                    pick.serials.length > 0 && <SheetCode code={pick.serials.join(', ')} />,
                  ),
                ]}
              />
            );
          },
          fits: 'long',
        },
        {
          name: words.quantity,
          show: ({ line, pick }) => quantityText(format.number(pick.quantity), line),
          align: 'right',
          fits: 'short',
        },
        { name: words.code, show: ({ codes }) => (codes.length > 0 ? <Codes codes={codes} /> : null) },
      ]}
    />
  );
}
