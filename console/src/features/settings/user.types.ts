import type { Item } from '@lotward/client';

export type User = Item<'/v2/settings/users'>;
