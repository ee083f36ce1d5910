import type { Data } from '@lotward/client';

export type Order = Data<'/v2/orders/{orderId}', 'get'>;
