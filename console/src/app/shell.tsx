import { LotwardError } from '@lotward/client';
import { ActionIcon, AppShell, Box, Burger, Group, Menu, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { BookOpen, Building2, CircleUser, FileCode, Keyboard, LogOut } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { AWAY_HEIGHT, AwayBanner } from '../ui/away-banner.js';
import { PageLink } from '../ui/links.js';
import { StepUp } from '../ui/step-up.js';
import { useAction } from '../ui/use-action.js';
import { useWasOpened } from '../ui/use-opening.js';
import { api } from './api.js';
import { useIsAway } from './connection.js';
import { removeDraftsOf } from './draft.js';
import { useHomePage } from './home-page.js';
import { useLanguage, useWords } from './language.js';
import { useLiveUpdates } from './live.js';
import { MainMenu } from './main-menu.js';
import { LanguageMenu, ThemeMenu } from './menus.js';
import { PaletteButton } from './palette/palette-button.js';
import { removeRecentOf } from './palette/recent.js';
import { useOwnLooks } from './preferences.js';
import { endSessionEverywhere, useSession } from './session.js';
import { shellWords } from './shell-words.js';
import { useShortcuts } from './shortcuts/use-shortcuts.js';
import { zoneName } from './zone.js';

const ShortcutSheet = lazy(() => import('./shortcuts/shortcut-sheet.js'));

const HEADER_HEIGHT = 56;

/** The frame around every page: header, menu, content. */
export function Shell() {
  const words = useWords(shellWords);
  const session = useSession();
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const isAway = useIsAway();
  const [isSheetOpen, sheet] = useDisclosure();
  const wasSheetOpened = useWasOpened(isSheetOpen);
  const home = useHomePage();
  useLiveUpdates();
  useOwnLooks(session);
  useShortcuts(sheet.open);
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
            <PageLink to={home} underline="never" c="inherit" aria-label="Lotward">
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
            <AccountMenu onShortcuts={sheet.open} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        component="nav"
        aria-label={words.main}
        className="main-menu"
        data-opened={opened || undefined}
      >
        <ScrollArea type="auto" scrollbarSize={8} flex={1} mih={0}>
          <MainMenu />
        </ScrollArea>
        <ShownZone />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Box maw={1280} mx="auto">
          <Outlet />
          <StepUp />
          <Suspense>
            {wasSheetOpened && <ShortcutSheet opened={isSheetOpen} onClose={sheet.close} />}
          </Suspense>
        </Box>
      </AppShell.Main>
    </AppShell>
  );
}

/** Names the time zone of all times on the page. */
function ShownZone() {
  const words = useWords(shellWords);
  const { language } = useLanguage();
  return (
    <PageLink to="/account" c="dimmed" size="xs" px={8} pt={8} pb={2} underline="hover">
      {words.timesIn(zoneName(language))}
    </PageLink>
  );
}

function AccountMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const words = useWords(shellWords);
  const session = useSession();
  const navigate = useNavigate();
  const signOut = useAction({
    async run() {
      await api.delete('/v2/session').catch((error: unknown) => {
        // The session had already ended.
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
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>
          {session.user.name && <div>{session.user.name}</div>}
          {session.user.email}
        </Menu.Label>
        <Menu.Item leftSection={<CircleUser size={16} />} component={Link} to="/account">
          {words.account}
        </Menu.Item>
        <Menu.Item leftSection={<BookOpen size={16} />} component="a" href="/docs">
          {words.documentation}
        </Menu.Item>
        <Menu.Item leftSection={<FileCode size={16} />} component="a" href="/docs/api">
          {words.apiReference}
        </Menu.Item>
        <Menu.Item leftSection={<Keyboard size={16} />} onClick={onShortcuts} visibleFrom="sm">
          {words.shortcuts}
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
      // Loads a new page, so that nothing fetched for this organization remains.
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
