import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type LucideIcon, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CountedList } from '../app/api.js';
import { useWords } from '../app/language.js';
import type { PlainPath } from '../app/paths.js';
import { type Scope, useMay } from '../app/session.js';
import { ButtonLink } from './links.js';
import { type BulkAction, BulkBar } from './list/bulk-actions.js';
import { DataTable, type ListLooks } from './list/data-list.js';
import { FilterPills } from './list/filter-pills.js';
import { listWords } from './list/list-words.js';
import { SavedViews } from './list/saved-views.js';
import { type Selection, useSelection } from './list/selection.js';
import type { ListFilters } from './list-filters.js';
import { Page, Panel } from './page.js';

/** How the records of a list are created: on a page of their own, or in a window. */
type Creation = { scope: Scope; label: string; icon?: LucideIcon; color?: string } & (
  | { to: PlainPath }
  | { window: (window: { opened: boolean; onClose: () => void }) => ReactNode }
);

/** The button that creates a record, for those who have the scope, and the window it opens. */
function CreateButton({ scope, label, icon: Icon = Plus, color, ...how }: Creation) {
  const may = useMay();
  const [opened, { open, close }] = useDisclosure();
  if (!may(scope)) return null;
  const looks = {
    leftSection: <Icon size={16} />,
    ...(color ? { color } : {}),
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

type ListTableProps<I> = Omit<ListLooks<I>, 'filtered' | 'onClearFilters' | 'order' | 'selection'> & {
  list: CountedList<I>;
  filters?: ListFilters | undefined;
  /** The order of the list without a `sort`; columns with a `sort` can change it. */
  usualSort?: string;
  bulk?: { nameOf: (item: I) => string; actions: readonly BulkAction<I>[] };
  /** Selected rows that the page itself handles. */
  selection?: Selection<I> | undefined;
};

/** The filters and the table of a list as part of a page; the create button is next to the filters. */
export function ListSection<I>({
  filters,
  create,
  notice,
  usualSort,
  bulk,
  selection: own,
  ...table
}: ListTableProps<I> & { create?: Creation; notice?: ReactNode }) {
  const words = useWords(listWords);
  const selection = useSelection(table.rowKey, bulk?.nameOf ?? table.rowKey);
  const actions = bulk?.actions ?? [];
  return (
    <>
      {filters && (
        <FilterPills
          filters={filters}
          views={(filters.search !== null || filters.all.length > 0) && <SavedViews />}
        >
          {create && <CreateButton {...create} />}
        </FilterPills>
      )}
      {notice}
      {actions.length > 0 && <BulkBar selection={selection} actions={actions} />}
      <DataTable
        noun={words.results}
        {...table}
        {...(filters ? { filtered: filters.isFiltered, onClearFilters: filters.clear } : {})}
        {...(filters && usualSort !== undefined
          ? { order: { sort: filters.sort, usual: usualSort, onSort: filters.onSort } }
          : {})}
        {...(own ? { selection: own } : actions.length > 0 ? { selection } : {})}
      />
    </>
  );
}

/** The frame of every list page: title, actions, filters, and the table with all its states. */
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
  /** Buttons before the create button. */
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
