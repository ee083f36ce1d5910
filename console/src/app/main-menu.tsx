import { Box, Collapse, Text, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { allPages } from '../features/index.js';
import { MenuLink } from '../ui/links.js';
import { useLanguage, useWords } from './language.js';
import { isMenuPage, MENU_GROUPS, type MenuGroup, type MenuPage } from './pages.js';
import { useMay } from './session.js';
import { shellWords } from './shell-words.js';

const KEPT_AS = 'lotward.menu';
/** Below this height not every entry fits, so seldom used ones are hidden under a heading that stays. */
const ROOMY = '(min-height: 940px)';
const SELDOM: readonly MenuGroup[] = ['developers', 'system'];

type Folding = Partial<Record<MenuGroup, boolean>>;

function keptFolding(): Folding {
  try {
    return JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}') as Folding;
  } catch {
    return {};
  }
}

/** The pages that the person may see, in collapsible groups. The group of the current page is open. */
export function MainMenu() {
  const may = useMay();
  const { pathname } = useLocation();
  const isRoomy = useMediaQuery(ROOMY, true, { getInitialValueInEffect: false });
  const [folding, setFolding] = useState(keptFolding);
  const offered = allPages.filter(isMenuPage).filter(({ scope }) => scope === undefined || may(scope));
  const isHere = (page: MenuPage) =>
    page.path === '/' ? pathname === '/' : pathname === page.path || pathname.startsWith(`${page.path}/`);
  return MENU_GROUPS.map((group) => {
    const pages = offered.filter((page) => page.menu.group === group);
    if (pages.length === 0) return null;
    const links = pages.map((page) => <Entry key={page.path} page={page} isHere={isHere(page)} />);
    if (group === 'overview') return <Box key={group}>{links}</Box>;
    const isOpen = folding[group] ?? (isRoomy || !SELDOM.includes(group) || pages.some(isHere));
    const fold = () => {
      const next = { ...folding, [group]: !isOpen };
      setFolding(next);
      localStorage.setItem(KEPT_AS, JSON.stringify(next));
    };
    return (
      <Group key={group} name={group} isOpen={isOpen} onFold={fold}>
        {links}
      </Group>
    );
  });
}

function Group({
  name,
  isOpen,
  onFold,
  children,
}: {
  name: MenuGroup;
  isOpen: boolean;
  onFold: () => void;
  children: React.ReactNode;
}) {
  const words = useWords(shellWords);
  return (
    <Box mt={6}>
      <UnstyledButton className="menu-group" onClick={onFold} aria-expanded={isOpen}>
        <Text span size="xs" fw={600}>
          {words.groups[name]}
        </Text>
        <ChevronDown size={14} aria-hidden />
      </UnstyledButton>
      <Collapse expanded={isOpen}>{children}</Collapse>
    </Box>
  );
}

function Entry({ page, isHere }: { page: MenuPage; isHere: boolean }) {
  const { language } = useLanguage();
  const Icon = page.menu.icon;
  return (
    <MenuLink
      className="menu-entry"
      to={page.path}
      label={page.menu.name[language].name}
      leftSection={<Icon size={17} strokeWidth={1.75} />}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
    />
  );
}
