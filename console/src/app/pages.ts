import type { LucideIcon } from 'lucide-react';
import { type ComponentType, createContext } from 'react';
import type { Dictionary } from './language.js';
import type { PagePath, PlainPath } from './paths.js';
import type { Scope } from './session.js';

/** The groups of the menu. */
export const MENU_GROUPS = ['overview', 'operations', 'goods', 'assurance', 'developers', 'system'] as const;
export type MenuGroup = (typeof MENU_GROUPS)[number];

/** A page of the console. Its code is loaded when it is opened. */
export interface Page {
  path: PagePath;
  /** The scope needed to see the page; by default, any signed-in person may. */
  scope?: Scope;
  load: () => Promise<{ default: ComponentType }>;
  menu?: MenuEntry;
}

interface MenuEntry {
  group: MenuGroup;
  icon: LucideIcon;
  name: Dictionary<{ name: string }>;
}

/** A page in the menu has no parameter in its path. */
export type MenuPage = Page & { path: PlainPath; menu: MenuEntry };
export const isMenuPage = (page: Page): page is MenuPage => page.menu !== undefined;

/** All pages, for pages that link to others: a page cannot import the list that contains it. */
export const AllPages = createContext<readonly Page[]>([]);
