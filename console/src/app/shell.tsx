import { LotwardError } from '@lotward/client';
import { ActionIcon, AppShell, Box, Burger, Group, Menu, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { BookOpen, Building2, CircleUser, FileCode, LogOut } from 'lucide-react';
import { useEffect } from 'react';
import { allPages } from '../features/index.js';
import { useAction } from '../ui/action.js';
import { AWAY_HEIGHT, AwayBanner } from '../ui/away-banner.js';
import { MenuLink, PageLink } from '../ui/links.js';
import { StepUpWindow } from '../ui/step-up-window.js';
import { api } from './api.js';
import { useIsAway } from './connection.js';
import { removeDraftsOf } from './draft.js';
import { useLanguage, useWords } from './language.js';
import { useLiveUpdates } from './live.js';
import { LanguageMenu, ThemeMenu } from './menus.js';
import { isMenuPage, MENU_GROUPS, type MenuPage } from './pages.js';
import { PaletteButton } from './palette/palette-button.js';
import { removeRecentOf } from './palette/recent.js';
import { endSessionEverywhere, useMay, useSession } from './session.js';
import { shellWords } from './shell-words.js';

const HEADER_HEIGHT = 56;

/** The frame around every page: header, menu, content. */
export function Shell() {
  const words = useWords(shellWords);
  const session = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const isAway = useIsAway();
  useLiveUpdates();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a small screen the menu makes way for the page
  useEffect(close, [pathname]);
  return (
    <AppShell
      header={{ height: isAway ? HEADER_HEIGHT + AWAY_HEIGHT : HEADER_HEIGHT }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#content">
        {words.skip}
      </a>
      <AppShell.Header>
        <AwayBanner />
        <Group h={HEADER_HEIGHT} px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={opened} onClick={toggle} hiddenFrom="md" size="sm" aria-label={words.menu} />
            <PageLink to="/" underline="never" c="inherit" aria-label="Lotward">
              <Group gap={8} wrap="nowrap">
                <img src="/favicon.svg" width={26} height={26} alt="" />
                <Text fw={700} visibleFrom="xs">
                  Lotward
                </Text>
              </Group>
            </PageLink>
            <Text size="sm" c="dimmed" truncate>
              {session.organization.name}
            </Text>
          </Group>
          <Group gap={4} wrap="nowrap">
            <PaletteButton />
            <LanguageMenu />
            <ThemeMenu />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label={words.main}>
        <ScrollArea type="auto" scrollbarSize={8} flex={1} mih={0}>
          <MainMenu />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Box maw={1280} mx="auto">
          <Outlet />
          <StepUpWindow />
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

function MainMenu() {
  const words = useWords(shellWords);
  const { language } = useLanguage();
  const may = useMay();
  const { pathname } = useLocation();
  const offered = allPages.filter(isMenuPage).filter(({ scope }) => scope === undefined || may(scope));
  const isHere = (page: MenuPage) =>
    page.path === '/' ? pathname === '/' : pathname === page.path || pathname.startsWith(`${page.path}/`);
  return MENU_GROUPS.map((group) => {
    const pages = offered.filter((page) => page.menu.group === group);
    if (pages.length === 0) return null;
    return (
      <Box key={group} mb={6}>
        {group !== 'overview' && (
          <Text size="xs" fw={600} c="dimmed" px="sm" py={4}>
            {words.groups[group]}
          </Text>
        )}
        {pages.map((page) => {
          const Icon = page.menu.icon;
          return (
            <MenuLink
              key={page.path}
              to={page.path}
              label={page.menu.name[language].name}
              leftSection={<Icon size={18} strokeWidth={1.8} />}
              active={isHere(page)}
              aria-current={isHere(page) ? 'page' : undefined}
              py={3}
              style={{ borderRadius: 8 }}
            />
          );
        })}
      </Box>
    );
  });
}

function AccountMenu() {
  const words = useWords(shellWords);
  const session = useSession();
  const navigate = useNavigate();
  const signOut = useAction({
    async run() {
      await api.delete('/v2/session').catch((error: unknown) => {
        // The session was over before.
        if (!(error instanceof LotwardError && error.status === 401)) throw error;
      });
      removeDraftsOf(session.organization.code, session.user.userId);
      removeRecentOf(session.organization.code, session.user.userId);
      endSessionEverywhere();
      await navigate({ to: '/' });
    },
    done: words.signedOut,
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.account}>
          <CircleUser size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{session.user.email}</Menu.Label>
        <Menu.Item leftSection={<CircleUser size={16} />} component={Link} to="/account">
          {words.account}
        </Menu.Item>
        <Menu.Item leftSection={<BookOpen size={16} />} component="a" href="/docs">
          {words.documentation}
        </Menu.Item>
        <Menu.Item leftSection={<FileCode size={16} />} component="a" href="/docs/api">
          {words.apiReference}
        </Menu.Item>
        <OrganizationItems />
        <Menu.Divider />
        <Menu.Item leftSection={<LogOut size={16} />} onClick={() => signOut.mutate(undefined)}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The person's other organizations, if there are any. */
function OrganizationItems() {
  const words = useWords(shellWords);
  const session = useSession();
  const others = session.organizations.filter(({ current }) => !current);
  const change = useAction({
    async run(organization: (typeof others)[number]) {
      await api.patch('/v2/session', { body: { organization: organization.code } });
      // A new page, so that nothing fetched for this organization is left.
      location.assign('/');
      return organization.name;
    },
    done: (name: string) => words.switched(name),
  });
  if (others.length === 0) return null;
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{words.organizations}</Menu.Label>
      {others.map((organization) => (
        <Menu.Item
          key={organization.code}
          leftSection={<Building2 size={16} />}
          onClick={() => change.mutate(organization)}
        >
          {organization.name}
        </Menu.Item>
      ))}
    </>
  );
}
