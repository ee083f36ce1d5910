import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Dictionary } from './language.js';

/** Where a page stands in the menu. */
export const MENU_GROUPS = ['overview', 'operations', 'goods', 'assurance', 'system'] as const;
type MenuGroup = (typeof MENU_GROUPS)[number];

/** A page of the console. Its code is loaded when somebody goes there. */
export interface Page {
  /** In the router's notation: `/orders/$orderId`. */
  path: string;
  /** What whoever sees it must be allowed; not given: everybody who is signed in. */
  scope?: string;
  load: () => Promise<{ default: ComponentType }>;
  menu?: { group: MenuGroup; icon: LucideIcon; name: Dictionary<{ name: string }> };
}
