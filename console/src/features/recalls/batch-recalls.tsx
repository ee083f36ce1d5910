import { useList } from '../../app/api.js';
import { useFormat } from '../../app/format.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CodeText } from '../../ui/code-text.js';
import { ItemTable } from '../../ui/data-table.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { PageLink } from '../../ui/links.js';
import { Loaded, Panel } from '../../ui/page.js';
import { StatusBadge } from '../../ui/status.js';
import { recallWords } from './recall-words.js';
import { Extent, type Recall } from './recalls.js';

const RECALLS_MAX = 200;

/** Whether goods of the batch are recalled. For a recall of serial numbers, the stock it found decides. */
const concerns = (recall: Recall, batchNo: string): boolean =>
  recall.extent === 'product' ||
  recall.batchNos.includes(batchNo) ||
  recall.affectedStock.some((stock) => stock.batchNo === batchNo);

interface Goods {
  productCode: string;
  batchNo: string;
}

/** The recalls of a batch, for people who may read them; null while loading. */
export function useBatchRecalls({ productCode, batchNo }: Goods) {
  const list = useList('/v2/recalls', {
    query: { productCode, limit: RECALLS_MAX },
    enabled: useMay()('recalls:read'),
  });
  const recalls = list.data?.pages
    .flatMap((page) => page.items)
    .filter((recall) => concerns(recall, batchNo));
  return { list, recalls: recalls ?? null };
}

/** The recalls of a batch; nothing if there are none. */
export function BatchRecalls(goods: Goods) {
  const words = useWords(recallWords);
  const may = useMay();
  const common = useWords(commonWords);
  const format = useFormat();
  const { list, recalls } = useBatchRecalls(goods);
  if (!may('recalls:read') || recalls?.length === 0) return null;
  return (
    <Panel title={words.recalls}>
      <Loaded query={list}>
        {() => (
          <ItemTable
            label={words.recalls}
            items={recalls ?? []}
            rowKey={(recall) => recall.recallId}
            empty={{ title: words.none, isCompact: true }}
            columns={[
              {
                name: words.no,
                show: ({ recallId, recallNo }) => (
                  <PageLink to="/recalls/$recallId" params={{ recallId }}>
                    <CodeText>{recallNo}</CodeText>
                  </PageLink>
                ),
              },
              { name: words.extent, show: (recall) => <Extent recall={recall} /> },
              { name: words.reason, show: (recall) => recall.reason, wide: true },
              { name: words.opened, show: (recall) => format.instant(recall.openedAt), wide: true },
              { name: common.status, show: (recall) => <StatusBadge status={recall.status} /> },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
