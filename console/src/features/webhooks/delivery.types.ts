import type { Item } from '@lotward/client';

export type Delivery = Item<'/v2/webhooks/{webhookId}/deliveries'>;
export type Attempt = Delivery['attempts'][number];
