import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Import, type LucideIcon, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { allPages } from '../../features/index.js';
import { client } from '../api.js';
import { useLanguage, useWords } from '../language.js';
import { isMenuPage } from '../pages.js';
import type { PlainPath } from '../paths.js';
import { useMay, useSession } from '../session.js';
import { paletteWords } from './palette-words.js';
import { recentOf } from './recent.js';
import { type Target, targetOf } from './targets.js';

const TYPING_MS = 150;

export interface TargetGroup {
  name: 'results' | 'recent' | 'actions' | 'pages';
  targets: readonly (Target & { icon?: LucideIcon })[];
}

const ACTIONS = [
  { path: '/orders/new', word: 'newOrder', icon: Plus },
  { path: '/receipts/new', word: 'newReceipt', icon: Plus },
  { path: '/recalls/new', word: 'newRecall', icon: Plus },
  { path: '/products/import', word: 'importProducts', icon: Import },
  { path: '/partners/import', word: 'importPartners', icon: Import },
] as const satisfies readonly { path: PlainPath; word: string; icon: LucideIcon }[];

const plain = (path: PlainPath, title: string, icon: LucideIcon) => ({
  ...{ key: path, href: path, title, icon },
  ...{ detail: null, status: null, kind: null },
});

/** Pages and actions that the person may use. */
function usePlaces() {
  const words = useWords(paletteWords);
  const { language } = useLanguage();
  const may = useMay();
  const offered = allPages.filter(({ scope }) => scope === undefined || may(scope));
  const pages = offered
    .filter(isMenuPage)
    .map(({ path, menu }) => plain(path, menu.name[language].name, menu.icon));
  const actions = ACTIONS.filter(({ path }) => offered.some((page) => page.path === path)).map(
    ({ path, word, icon }) => plain(path, words[word], icon),
  );
  return { pages, actions };
}

const without = (text: string) => text.normalize('NFKC').toLowerCase();

/** The targets that match the text, and the state of the search for it. */
export function useTargets(text: string) {
  const session = useSession();
  const sought = text.trim();
  const [settled] = useDebouncedValue(sought, TYPING_MS);
  const search = useQuery({
    queryKey: ['/v2/search', settled],
    enabled: settled !== '' && sought !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => client.get('/v2/search', { query: { q: settled }, signal }),
  });
  const { pages, actions } = usePlaces();
  const recent = useMemo(() => recentOf(session.organization.code, session.user.userId), [session]);
  const matching = (targets: TargetGroup['targets']) =>
    targets.filter(({ title }) => without(title).includes(without(sought)));
  const found = sought === '' ? [] : (search.data?.items ?? []).map(targetOf);
  const groups: TargetGroup[] =
    sought === ''
      ? [
          { name: 'recent', targets: recent },
          { name: 'actions', targets: actions },
          { name: 'pages', targets: pages },
        ]
      : [
          { name: 'results', targets: found },
          { name: 'actions', targets: matching(actions) },
          { name: 'pages', targets: matching(pages) },
        ];
  return {
    groups: groups.filter(({ targets }) => targets.length > 0),
    foundCount: groups.reduce((sum, { targets }) => sum + targets.length, 0),
    hasMore: sought !== '' && search.data?.hasMore === true,
    /** The groups belong to this text, not to an earlier one. */
    isSettled: sought === '' || (settled === sought && !search.isFetching && !search.isPlaceholderData),
    error: sought === '' ? null : search.error,
  };
}
