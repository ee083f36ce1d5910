import { Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { PageLink } from '../../ui/links.js';
import { BatchLink } from '../stock/inventory-record.js';
import { dispatchWords } from './dispatch-words.js';
import { type Dispatch, quantityText } from './pick-draft.js';
import { BatchExpiry } from './place-text.js';

/** The picks by batch; before the first pick, the batches to pick. */
export function PickedTable({ dispatch }: { dispatch: Dispatch }) {
  const words = useWords(dispatchWords);
  const format = useFormat();
  const rows = dispatch.lines.flatMap((line) => {
    const { productCode, productName, lineNo } = line;
    const picks =
      line.picks.length > 0
        ? line.picks
        : line.toPick.map((each) => ({ ...each, serials: [], reason: null, expiryDate: undefined }));
    return picks.map((pick) => ({ lineNo, productCode, productName, unit: line.unit, ...pick }));
  });
  return (
    <ItemTable
      label={words.lines}
      items={rows}
      rowKey={(row) => `${row.lineNo} ${row.batchNo}`}
      columns={[
        {
          name: words.product,
          show: (row) => (
            <>
              <PageLink to="/products/$productCode" params={{ productCode: row.productCode }}>
                {row.productName}
              </PageLink>
              <Text size="xs" c="dimmed">
                <CodeText>{row.productCode}</CodeText>
              </Text>
            </>
          ),
        },
        {
          name: words.batch,
          show: (row) => (
            <>
              <BatchLink productCode={row.productCode} batchNo={row.batchNo} />
              <BatchExpiry date={row.expiryDate} size="xs" />
              {row.reason && (
                <Text size="xs" c="dimmed">
                  {words.reason}
                  {format.colon}
                  {row.reason}
                </Text>
              )}
            </>
          ),
        },
        {
          name: words.serials,
          show: (row) => (
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              <CodeText>{row.serials.join(', ')}</CodeText>
            </Text>
          ),
          wide: true,
        },
        {
          name: words.quantity,
          show: (row) => quantityText(format.number(row.quantity), row),
          align: 'right',
        },
      ]}
    />
  );
}
