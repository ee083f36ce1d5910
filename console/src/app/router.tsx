import { Center, Loader } from '@mantine/core';
import { createRootRoute, createRoute, createRouter, Outlet } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { allPages } from '../features/index.js';
import { AwayBanner } from '../ui/away-banner.js';
import { FieldMessages } from '../ui/field-messages.js';
import { Problem } from '../ui/problem.js';
import { Broken, loadable, NotAllowed, NotFound } from './page-errors.js';
import type { Page } from './pages.js';
import type { PAGE_PATHS, PagePath, Search } from './paths.js';
import { queries, SESSION } from './queries.js';
import {
  CurrentSession,
  hasSignedOut,
  isComplete,
  removePersonalData,
  type Session,
  useMay,
  useSessionQuery,
  useSignOutElsewhere,
} from './session.js';
import { identityNow, identityOf, settleWaiting } from './session-end.js';
import { Shell } from './shell.js';
import { UnusedScans } from './unused-scans.js';
import { keepZone } from './zone.js';

const SignIn = lazy(() => import('../features/signing-in/sign-in.js'));
const SignInAgain = lazy(() => import('../features/signing-in/sign-in-again.js'));

/** Every page requires signing in, except those reached by a link in an e-mail. */
function Inside(): ReactNode {
  const session = useSessionQuery();
  const current = session.data && isComplete(session.data) ? session.data : null;
  // The same person can continue a session that ended by itself: their page stays behind the sign-in window.
  const held = useRef<Session | null>(null);
  if (hasSignedOut()) held.current = null;
  const isOther =
    current !== null && held.current !== null && identityOf(current) !== identityOf(held.current);
  if (current !== null && !isOther) held.current = current;
  keepZone(held.current?.preferences?.timeZone ?? null);
  const person = isOther ? null : identityOf(held.current);
  const isOver = current === null && person !== null;
  useSignOutElsewhere();
  useEffect(() => (person === null ? undefined : removePersonalData), [person]);
  useEffect(() => {
    // Loads a new page, so that nothing of the previous person or organization remains.
    if (isOther) location.reload();
  }, [isOther]);
  if (session.isPending || isOther) return <Waiting />;
  if (session.isError && session.data === undefined)
    return (
      <>
        <AwayBanner />
        <Center p="xl">
          <Problem error={session.error} onRetry={() => session.refetch()} />
        </Center>
      </>
    );
  if (held.current === null) return <SignIn />;
  return (
    <CurrentSession value={held.current}>
      <Shell key={person} />
      <SessionOver isOver={isOver} person={person} />
    </CurrentSession>
  );
}

/** The window to sign in again. Mounted from its first use on, so that it can restore the focus when it closes. */
function SessionOver({ isOver, person }: { isOver: boolean; person: string | null }): ReactNode {
  const [wasOver, setWasOver] = useState(false);
  if (isOver && !wasOver) setWasOver(true);
  useEffect(() => {
    if (!isOver) return undefined;
    return () => {
      // Never under another person's name.
      settleWaiting(!hasSignedOut() && identityNow() === person);
      queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] });
    };
  }, [isOver, person]);
  return <Suspense>{wasOver && <SignInAgain opened={isOver} />}</Suspense>;
}

const Waiting = () => (
  <Center h="60vh">
    <Loader />
  </Center>
);

/** Shows a page to those who have its scope; others see one notice instead of a page full of errors. */
function allowing({ scope, load }: Page): () => ReactNode {
  const Loaded = loadable(load);
  return function Allowed() {
    const may = useMay();
    if (scope !== undefined && !may(scope)) return <NotAllowed scope={scope} />;
    return <Loaded />;
  };
}

const root = createRootRoute({
  component: () => (
    <>
      <UnusedScans />
      <FieldMessages />
      <Outlet />
    </>
  ),
  notFoundComponent: NotFound,
});
const inside = createRoute({ getParentRoute: () => root, id: 'inside', component: Inside });
/** Any other URL: shown within the frame, so that the menu is available. */
const unknown = createRoute({ getParentRoute: () => inside, path: '$', component: NotFound });
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

/** One route for each path of the list; links are checked against this type. */
type RoutesOf<Paths extends readonly PagePath[]> = {
  -readonly [K in keyof Paths]: ReturnType<typeof routeOf<Paths[K]>>;
};

export const router = createRouter({
  routeTree: root.addChildren([
    invitation,
    reset,
    factorReset,
    inside.addChildren([...allPages.map(routeOf), unknown] as unknown as RoutesOf<typeof PAGE_PATHS>),
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
