export { deleteWebhook } from './change-webhook.js';
export { createWebhook, newSecret } from './create-webhook.js';
export { type DeliveryLimits, openDelivery } from './delivery/index.js';
export { readFigures, type WebhookFigures } from './figures.store.js';
export { type Outbound, openOutbound } from './outbound.js';
export { removeOldPushes } from './remove-old-pushes.js';
export { verifySignatures } from './signing.js';
export { webhookReasons } from './webhook.errors.js';
export { type WebhookRouteOptions, webhookRoutes } from './webhook.routes.js';
