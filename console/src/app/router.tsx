import { Button, Center, Loader } from '@mantine/core';
import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { Lock, SearchX, TriangleAlert } from 'lucide-react';
import { lazy, type ReactNode, useEffect } from 'react';
import { allPages } from '../features/index.js';
import { Empty } from '../ui/empty.js';
import { commonWords } from '../ui/everywhere-words.js';
import { ButtonLink } from '../ui/links.js';
import { Problem } from '../ui/problem.js';
import { useWords } from './language.js';
import type { Page } from './pages.js';
import type { PAGE_PATHS, PagePath, Search } from './paths.js';
import { CurrentSession, isComplete, removePersonalData, useMay, useSessionQuery } from './session.js';
import { Shell } from './shell.js';
import { UnusedScans } from './unused-scans.js';

const SignIn = lazy(() => import('../features/signing-in/sign-in.js'));

/** Every page but those reached by a link in an e-mail requires signing in. */
function Inside(): ReactNode {
  const session = useSessionQuery();
  const person = session.data && isComplete(session.data) ? session.data.user.userId : null;
  useEffect(() => (person === null ? undefined : removePersonalData), [person]);
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
      <Shell key={person} />
    </CurrentSession>
  );
}

const Waiting = () => (
  <Center h="60vh">
    <Loader />
  </Center>
);

/** Shows a page to those who have its scope; others see one notice instead of a page full of errors. */
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

function NotFound(): ReactNode {
  const words = useWords(commonWords);
  return (
    <Empty title={words.notFound} icon={SearchX}>
      <ButtonLink to="/" variant="light">
        {words.backToOverview}
      </ButtonLink>
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
/** Reached by a link in an e-mail, before the person can sign in. */
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
const factorReset = createRoute({
  getParentRoute: () => root,
  path: '/second-factor-reset',
  component: lazy(() => import('../features/signing-in/factor-reset.js')),
});

const routeOf = <const P extends PagePath>(page: Page & { path: P }) =>
  createRoute({
    getParentRoute: () => inside,
    path: page.path,
    component: allowing(page),
    validateSearch: (search: Record<string, unknown>): Search => search as Search,
  });

/** One route for each path of the list: the type that checks every link. */
type RoutesOf<Paths extends readonly PagePath[]> = {
  -readonly [K in keyof Paths]: ReturnType<typeof routeOf<Paths[K]>>;
};

export const router = createRouter({
  routeTree: root.addChildren([
    invitation,
    reset,
    factorReset,
    inside.addChildren(allPages.map(routeOf) as unknown as RoutesOf<typeof PAGE_PATHS>),
  ]),
  defaultPendingComponent: Waiting,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
