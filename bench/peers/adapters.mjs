/*
 * The peers that can be measured. An adapter is
 *   name             as the results name it
 *   signatureHeader  of its pushes, in lower case
 *   acceptedStatus   of a published event
 *   settingsIn(env)  the address `url`, the bearer token `key` and what else it needs; nothing without an address
 *   createTenant(call, settings, tenant, urls)  an empty tenant with an endpoint for each URL, by `call(method, path, body, statuses)`
 *   publishOf(settings, tenant, data)           path and body of the POST that publishes an event with this body
 */
import { outpost } from './outpost.mjs';
import { svix } from './svix.mjs';

export const adapters = { outpost, svix };
