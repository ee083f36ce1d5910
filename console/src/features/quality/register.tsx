import { Alert, Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Download, Printer } from 'lucide-react';
import { useCountedList } from '../../app/api.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { ButtonLink } from '../../ui/links.js';
import { type Selection, useSelection } from '../../ui/list/selection.js';
import { ListPage } from '../../ui/list-page.js';
import { useNonconformityColumns } from './nonconformity-columns.js';
import { NonconformityForm } from './nonconformity-form.js';
import { goodsOfEntry } from './proposal.js';
import { ProposeButton } from './propose-disposition.js';
import type { Nonconformity } from './quality.types.js';
import { registerView, useRegisterFilters } from './register-filters.js';
import { registerWords } from './register-words.js';

export default function Register() {
  const words = useWords(registerWords);
  const { language } = useLanguage();
  const filters = useRegisterFilters();
  const navigate = useNavigate();
  const may = useMay();
  // People who may propose a disposition can select entries with open goods for one.
  const selection = useSelection<Nonconformity>(
    (entry) => entry.ncId,
    (entry) => words.entryName(entry.productName, entry.batchNo),
    (entry) => entry.openQuantity > 0,
  );
  return (
    <ListPage
      title={words.register}
      hint={words.hint}
      actions={
        <>
          <Button
            component="a"
            href={`/exports/quality/nonconformities.csv?${new URLSearchParams({ ...filters.query, language })}`}
            download
            variant="default"
            leftSection={<Download size={16} />}
          >
            {words.exportCsv}
          </Button>
          <ButtonLink
            to="/quality/nonconformities/print"
            search={registerView(filters)}
            variant="default"
            leftSection={<Printer size={16} />}
          >
            {words.print}
          </ButtonLink>
        </>
      }
      create={{
        scope: 'quality:write',
        label: words.enter,
        window: (window) => (
          <NonconformityForm
            {...window}
            onDone={({ ncId }) => navigate({ to: '/quality/nonconformities/$ncId', params: { ncId } })}
          />
        ),
      }}
      filters={filters}
      notice={<Chosen selection={selection} />}
      selection={may('quality:write') ? selection : undefined}
      list={useCountedList('/v2/quality/nonconformities', filters)}
      noun={words.noun}
      rowKey={(entry) => entry.ncId}
      empty={{ title: words.none, hint: words.noneHint }}
      columns={useNonconformityColumns()}
    />
  );
}

/** The goods of the selected entries, for one disposition. */
function Chosen({ selection }: { selection: Selection<Nonconformity> }) {
  const words = useWords(registerWords);
  if (selection.items.length === 0) return null;
  return (
    <Alert mb="sm" variant="light" p="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600} aria-live="polite">
          {words.selected(selection.items.length)}
        </Text>
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={selection.clear}>
            {words.clear}
          </Button>
          <ProposeButton goods={selection.items.map(goodsOfEntry)} size="xs" variant="filled" />
        </Group>
      </Group>
    </Alert>
  );
}
