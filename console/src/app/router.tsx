import { Button, Center, Loader } from '@mantine/core';
import { createRootRoute, createRoute, createRouter, Link, Outlet } from '@tanstack/react-router';
import { Lock, SearchX, TriangleAlert } from 'lucide-react';
import { lazy, type ReactNode } from 'react';
import { allPages } from '../features/index.js';
import { Empty } from '../ui/empty.js';
import { commonWords } from '../ui/everywhere-words.js';
import { Problem } from '../ui/problem.js';
import { useWords } from './language.js';
import type { Page } from './pages.js';
import { CurrentSession, isComplete, useMay, useSessionQuery } from './session.js';
import { Shell } from './shell.js';
import { UnusedScans } from './unused-scans.js';

const SignIn = lazy(() => import('../features/signing-in/sign-in.js'));

/** Everything but the pages reached by a link in a mail wants somebody signed in. */
function Inside() {
  const session = useSessionQuery();
  if (session.isPending) return <Waiting />;
  if (session.isError)
    return (
      <Center p="xl">
        <Problem error={session.error} onRetry={() => session.refetch()} />
      </Center>
    );
  if (!isComplete(session.data)) return <SignIn />;
  return (
    <CurrentSession value={session.data}>
      <Shell />
    </CurrentSession>
  );
}

const Waiting = () => (
  <Center h="60vh">
    <Loader />
  </Center>
);

/** Only for those who may: others are told, instead of seeing a page full of refusals. */
function allowing({ scope, load }: Page): () => ReactNode {
  const Loaded = lazy(load);
  return function Allowed() {
    const may = useMay();
    const words = useWords(commonWords);
    if (scope !== undefined && !may(scope))
      return <Empty title={words.notAllowed} hint={words.notAllowedHint} icon={Lock} />;
    return <Loaded />;
  };
}

function NotFound() {
  const words = useWords(commonWords);
  return (
    <Empty title={words.notFound} icon={SearchX}>
      <Button component={Link} to="/" variant="light">
        {words.backToOverview}
      </Button>
    </Empty>
  );
}

function Broken(): ReactNode {
  const words = useWords(commonWords);
  return (
    <Empty title={words.broken} hint={words.brokenHint} icon={TriangleAlert}>
      <Button variant="light" onClick={() => location.reload()}>
        {words.reload}
      </Button>
    </Empty>
  );
}

const root = createRootRoute({
  component: () => (
    <>
      <UnusedScans />
      <Outlet />
    </>
  ),
  notFoundComponent: NotFound,
});
const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Inside });
/** Reached by a link in a mail, by somebody who cannot sign in yet. */
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazy(() => import('../features/signing-in/invitation.js')),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/password-reset',
  component: lazy(() => import('../features/signing-in/reset.js')),
});

export const router = createRouter({
  routeTree: root.addChildren([
    invitation,
    reset,
    inside.addChildren(
      allPages.map((page) =>
        createRoute({ getParentRoute: () => inside, path: page.path, component: allowing(page) }),
      ),
    ),
  ]),
  defaultPendingComponent: Waiting,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});
