import type { Item } from '@lotward/client';
import { isEmptyList, type ListResult, useList } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { DataTable } from '../../ui/data-table.js';
import { Panel } from '../../ui/page.js';
import { useDispositionColumns } from './disposition-columns.js';
import { dispositionWords } from './disposition-words.js';
import { useNonconformityColumns } from './nonconformity-columns.js';
import { registerWords } from './register-words.js';

interface Batch {
  productCode: string;
  batchNo?: string;
}

/** The quality records of one batch, for people who may read them. */
export function useBatchQuality(batch: Batch) {
  const enabled = useMay()('quality:read');
  return {
    entries: useList('/v2/quality/nonconformities', { query: batch, enabled }),
    dispositions: useList('/v2/quality/dispositions', { query: batch, enabled }),
  };
}

/** The register entries and dispositions of one batch; nothing if there are none. */
export function BatchQuality({ batch }: { batch: Batch }) {
  const { entries, dispositions } = useBatchQuality(batch);
  const may = useMay();
  if (!may('quality:read')) return null;
  return (
    <>
      {!isEmptyList(entries) && <Entries list={entries} />}
      {!isEmptyList(dispositions) && <Dispositions list={dispositions} />}
    </>
  );
}

function Entries({ list }: { list: ListResult<Item<'/v2/quality/nonconformities'>> }) {
  const words = useWords(registerWords);
  return (
    <Panel title={words.ofBatch}>
      <DataTable
        list={list}
        label={words.ofBatch}
        rowKey={(entry) => entry.ncId}
        empty={{ title: words.noneOfBatch, isCompact: true }}
        columns={useNonconformityColumns({ ofOneBatch: true })}
      />
    </Panel>
  );
}

function Dispositions({ list }: { list: ListResult<Item<'/v2/quality/dispositions'>> }) {
  const words = useWords(dispositionWords);
  return (
    <Panel title={words.ofBatch}>
      <DataTable
        list={list}
        label={words.ofBatch}
        rowKey={(disposition) => disposition.dispositionId}
        empty={{ title: words.noneOfBatch, isCompact: true }}
        columns={useDispositionColumns()}
      />
    </Panel>
  );
}
