export { type DeliveryLimits, openDelivery } from './delivery.js';
