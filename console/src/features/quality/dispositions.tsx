import { Button } from '@mantine/core';
import { Download } from 'lucide-react';
import { useCountedList } from '../../app/api.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { commonWords } from '../../ui/everywhere-words.js';
import { ButtonLink } from '../../ui/links.js';
import { choiceFilter, pickerFilter, textFilter, useListFilters } from '../../ui/list-filters.js';
import { ListPage } from '../../ui/list-page.js';
import { useStatusChoices } from '../../ui/status.js';
import { useTaskFilter } from '../../ui/task-filter.js';
import { ProductPicker } from '../catalogue/pickers.js';
import { useDispositionColumns } from './disposition-columns.js';
import { dispositionWords } from './disposition-words.js';
import { DISPOSITION_STATUSES, KINDS } from './quality.types.js';
import { registerWords } from './register-words.js';

export default function Dispositions() {
  const words = useWords(dispositionWords);
  const { exportCsv } = useWords(registerWords);
  const common = useWords(commonWords);
  const may = useMay();
  const names = useStatusChoices(Object.values(DISPOSITION_STATUSES));
  const statuses = Object.keys(DISPOSITION_STATUSES).map((value, at) => ({
    value,
    label: names[at]?.label ?? value,
  }));
  const { language } = useLanguage();
  const filters = useListFilters(
    {
      status: choiceFilter(common.status, statuses),
      task: useTaskFilter('dispositions_to_approve', 'dispositions_to_execute'),
      kind: choiceFilter(
        words.kind,
        KINDS.map((value) => ({ value, label: words.kinds[value] })),
      ),
      productCode: pickerFilter(words.product, ProductPicker, may('products:read')),
      batchNo: textFilter(words.batch),
    },
    { by: [words.product, words.batch, words.supplier] },
  );
  return (
    <ListPage
      title={words.dispositions}
      hint={words.hint}
      actions={
        <Button
          component="a"
          href={`/exports/quality/dispositions.csv?${new URLSearchParams({ ...filters.query, language })}`}
          download
          variant="default"
          leftSection={<Download size={16} />}
        >
          {exportCsv}
        </Button>
      }
      filters={filters}
      list={useCountedList('/v2/quality/dispositions', filters)}
      noun={words.noun}
      rowKey={(disposition) => disposition.dispositionId}
      empty={{
        title: words.none,
        hint: words.noneHint,
        action: (
          <ButtonLink to="/quality/nonconformities" variant="light" size="xs">
            {words.toRegister}
          </ButtonLink>
        ),
      }}
      columns={useDispositionColumns()}
    />
  );
}
