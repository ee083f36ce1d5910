import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type LucideIcon, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ListResult } from '../app/api.js';
import type { PlainPath } from '../app/paths.js';
import { useMay } from '../app/session.js';
import { DataTable, type TableLooks } from './data-table.js';
import { ButtonLink } from './links.js';
import { ListFilterBar, type ListFilters } from './list-filters.js';
import { Page, Panel } from './page.js';

/** How the records of a list are created: on a page of their own, or in a window. */
type Creation = { scope: string; label: string; icon?: LucideIcon; color?: string } & (
  | { to: PlainPath }
  | { window: (window: { opened: boolean; onClose: () => void }) => ReactNode }
);

/** The button that creates a record, for those who have the scope, and the window it opens. */
function CreateButton({ scope, label, icon: Icon = Plus, color, ...how }: Creation & { ml?: 'auto' }) {
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  if (!may(scope)) return null;
  const looks = {
    leftSection: <Icon size={16} />,
    ...(color ? { color } : {}),
    ...(how.ml ? { ml: how.ml } : {}),
  };
  if ('to' in how)
    return (
      <ButtonLink to={how.to} {...looks}>
        {label}
      </ButtonLink>
    );
  return (
    <>
      <Button {...looks} onClick={open}>
        {label}
      </Button>
      {how.window({ opened, onClose: close })}
    </>
  );
}

type ListTableProps<I> = Omit<TableLooks<I>, 'filtered' | 'onClearFilters'> & {
  list: ListResult<I>;
  filters?: ListFilters | undefined;
};

/** The filters and the table of a list, as a part of a page; the button to create stands beside the filters. */
export function ListSection<I>({
  filters,
  create,
  notice,
  ...table
}: ListTableProps<I> & { create?: Creation; notice?: ReactNode }) {
  return (
    <>
      {filters && (
        <ListFilterBar filters={filters}>{create && <CreateButton ml="auto" {...create} />}</ListFilterBar>
      )}
      {notice}
      <DataTable
        {...table}
        {...(filters ? { filtered: filters.isFiltered, onClearFilters: filters.clear } : {})}
      />
    </>
  );
}

/** The frame of every list page: title, actions, filters, and the table with all the states it can be in. */
export function ListPage<I>({
  title,
  hint,
  actions,
  create,
  panelTitle,
  children,
  ...section
}: Omit<ListTableProps<I>, 'label'> & {
  title: string;
  hint?: string;
  /** Buttons before the one to create. */
  actions?: ReactNode;
  create?: Creation;
  panelTitle?: string;
  /** Between the filters and the table. */
  notice?: ReactNode;
  /** Below the list. */
  children?: ReactNode;
}) {
  return (
    <Page
      title={title}
      {...(hint === undefined ? {} : { hint })}
      actions={
        <>
          {actions}
          {create && <CreateButton {...create} />}
        </>
      }
    >
      <Panel {...(panelTitle === undefined ? {} : { title: panelTitle })}>
        <ListSection label={panelTitle ?? title} {...section} />
      </Panel>
      {children}
    </Page>
  );
}
