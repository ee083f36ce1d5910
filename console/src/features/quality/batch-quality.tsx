import { useList } from '../../app/api.js';
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

/** The entries of the register and the dispositions about one batch, for those who may read them. */
export function BatchQuality({ batch }: { batch: Batch }) {
  const may = useMay();
  if (!may('quality:read')) return null;
  return (
    <>
      <Entries batch={batch} />
      <Dispositions batch={batch} />
    </>
  );
}

function Entries({ batch }: { batch: Batch }) {
  const words = useWords(registerWords);
  return (
    <Panel title={words.ofBatch}>
      <DataTable
        list={useList('/v2/quality/nonconformities', { query: batch })}
        label={words.ofBatch}
        rowKey={(entry) => entry.ncId}
        empty={{ title: words.noneOfBatch, isCompact: true }}
        columns={useNonconformityColumns({ ofOneBatch: true })}
      />
    </Panel>
  );
}

function Dispositions({ batch }: { batch: Batch }) {
  const words = useWords(dispositionWords);
  return (
    <Panel title={words.ofBatch}>
      <DataTable
        list={useList('/v2/quality/dispositions', { query: batch })}
        label={words.ofBatch}
        rowKey={(disposition) => disposition.dispositionId}
        empty={{ title: words.noneOfBatch, isCompact: true }}
        columns={useDispositionColumns()}
      />
    </Panel>
  );
}
