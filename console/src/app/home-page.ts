import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { allPages } from '../features/index.js';
import { isMenuPage } from './pages.js';
import type { PlainPath } from './paths.js';
import { useMay, useSession } from './session.js';

/** The person's start page, if they may see it. Opens instead of the overview, once after signing in. */
export function useHomePage(): PlainPath {
  const may = useMay();
  const navigate = useNavigate();
  const { preferences } = useSession();
  const page = allPages.filter(isMenuPage).find(({ path }) => path === preferences?.homePage);
  const home = page && (page.scope === undefined || may(page.scope)) ? page.path : '/';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the frame appears
  useEffect(() => {
    if (location.pathname === '/' && home !== '/') navigate({ to: home, replace: true });
  }, []);
  return home;
}
