import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Download, Printer } from 'lucide-react';
import { useState } from 'react';
import { useCountedList } from '../../app/api.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import type { Column } from '../../ui/data-table.js';
import { ButtonLink } from '../../ui/links.js';
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
  const selection = useSelection();
  const columns = useNonconformityColumns();
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
      notice={selection.notice}
      list={useCountedList('/v2/quality/nonconformities', filters)}
      noun={words.noun}
      rowKey={(entry) => entry.ncId}
      empty={{ title: words.none, hint: words.noneHint }}
      columns={[...selection.columns, ...columns]}
    />
  );
}

/** Entries with open goods can be chosen for one disposition, by those who may propose it. */
function useSelection() {
  const words = useWords(registerWords);
  const may = useMay();
  const [selected, setSelected] = useState<ReadonlyMap<string, Nonconformity>>(new Map());
  const change = (entry: Nonconformity, isSelected: boolean) =>
    setSelected((before) => {
      const after = new Map(before);
      if (isSelected) after.set(entry.ncId, entry);
      else after.delete(entry.ncId);
      return after;
    });
  const column: Column<Nonconformity> = {
    name: words.select,
    show: (entry) =>
      entry.openQuantity > 0 && (
        <Checkbox
          aria-label={words.selectEntry(entry.productName, entry.batchNo)}
          checked={selected.has(entry.ncId)}
          onChange={(event) => change(entry, event.currentTarget.checked)}
        />
      ),
  };
  return {
    columns: may('quality:write') ? [column] : [],
    notice: selected.size > 0 && (
      <Alert mb="sm" variant="light" p="xs">
        <Group justify="space-between" gap="xs">
          <Text size="sm" fw={600} aria-live="polite">
            {words.selected(selected.size)}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="xs" onClick={() => setSelected(new Map())}>
              {words.clear}
            </Button>
            <ProposeButton goods={[...selected.values()].map(goodsOfEntry)} size="xs" variant="filled" />
          </Group>
        </Group>
      </Alert>
    ),
  };
}
