import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { SCOPE_DESCRIPTIONS } from '../access/index.js';
import { EVENT_CATALOGUE, EVENT_TYPES, envelopeOf } from '../events/index.js';
import { ERROR_ROWS } from '../platform/errors/index.js';
import { sampleOf } from '../webhooks/index.js';
import { readExamples } from './examples.js';
import { NamedSchemas } from './named-schemas.js';

const API_VERSION = '2.1.0';

const failure = {
  type: 'object',
  required: ['code', 'message', 'data', 'requestId', 'errors'],
  properties: {
    code: { type: 'integer', enum: Object.values(ERROR_ROWS).map((row) => row.code) },
    message: { type: 'string' },
    data: { type: 'null' },
    requestId: {
      type: 'string',
      description:
        'Also in the header `X-Request-Id`; name it when asking for help. In a response repeated under an `Idempotency-Key` it is the id that the server gave the first request.',
    },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'reason', 'message'],
        properties: {
          path: {
            type: ['string', 'null'],
            description: 'JSON Pointer into the body, or the name of a parameter or header.',
          },
          reason: { type: 'string', description: 'A stable word to program against.' },
          message: { type: 'string', description: 'For people.' },
          held: { type: 'integer', description: 'With `return_not_held`: how much the customer holds.' },
        },
      },
    },
  },
};

const responses = Object.fromEntries(
  Object.values(ERROR_ROWS).map((row) => [
    String(row.status),
    {
      description: `${row.code}: ${row.message}`,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
    },
  ]),
);

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'The same key with the same request returns the first response again, for 24 hours, with `Idempotent-Replayed: true`.',
};

const REPLAYED = {
  schema: { type: 'string', enum: ['true'] },
  description:
    'The response of an earlier request with the same `Idempotency-Key`. Refusals are repeated, too.',
};

interface Content {
  content?: Record<string, { schema: unknown; example?: unknown }>;
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 8192 },
  description: 'The `ETag` of the response that you have: 304 without a body if it would be the same.',
};

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 8192 },
  description:
    'The `version` that you have seen, in quotes (`"7"`), or the `ETag` of the response that showed it. Refused with `version_mismatch` if it has changed since.',
};

const ETAG = {
  schema: { type: 'string' },
  description: 'Changes with the body. The same body in another encoding has another one.',
};

const NOT_MODIFIED = {
  description: 'The response is the one that `If-None-Match` names. Counts as a request.',
  headers: { ETag: { $ref: '#/components/headers/ETag' } },
};

interface Operation {
  'x-etag'?: boolean;
  'x-if-match'?: boolean;
  operationId: string;
  responses: Record<string, Content & { headers?: Record<string, unknown> }>;
  requestBody?: Content;
  parameters?: unknown[];
  description?: string;
  security?: unknown;
}

function describeIdempotency(operation: Operation): void {
  operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY];
  const success = operation.responses['200'];
  if (success)
    success.headers = { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } };
}

function nameSchemas(operation: Operation, names: NamedSchemas): void {
  const { operationId, requestBody } = operation;
  const success = operation.responses['200']?.content?.['application/json'];
  if (success) success.schema = names.referEnvelope(operationId, success.schema);
  for (const media of Object.values(requestBody?.content ?? {}))
    media.schema = names.referBody(operationId, media.schema);
}

function showExample(
  operation: Operation,
  example: ReturnType<typeof readExamples>[string] | undefined,
): void {
  if (!example) return;
  const success = operation.responses['200']?.content?.['application/json'];
  if (success) success.example = example.response;
  const body = operation.requestBody?.content?.['application/json'];
  if (body && example.request !== undefined) body.example = example.request;
}

/** `order.status_changed` becomes `OrderStatusChangedEvent`. */
const eventName = (type: string): string =>
  `${type
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')}Event`;

function describeTag(operation: Operation): void {
  delete operation['x-etag'];
  operation.parameters = [...(operation.parameters ?? []), IF_NONE_MATCH];
  const success = operation.responses['200'];
  if (success) success.headers = { ETag: { $ref: '#/components/headers/ETag' } };
  operation.responses['304'] = NOT_MODIFIED;
}

function describeCondition(operation: Operation): void {
  delete operation['x-if-match'];
  operation.parameters = [...(operation.parameters ?? []), IF_MATCH];
}

/** The same time as in the examples of requests. */
const SAMPLED_AT = new Date('2026-11-15T10:00:00Z');

/** A push, described as OpenAPI 3.1 describes calls to the other side. */
const webhookOf = (type: (typeof EVENT_TYPES)[number], names: NamedSchemas) => ({
  post: {
    summary: EVENT_CATALOGUE[type].summary,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: names.define(eventName(type), names.refer(envelopeOf(type)) as { [name: string]: unknown }),
          example: {
            ...{ eventId: 'evt_sample', eventType: type, timestamp: SAMPLED_AT.toISOString() },
            data: sampleOf(type, SAMPLED_AT),
          },
        },
      },
    },
    responses: { '200': { description: 'Received. Any 2xx within 5 seconds counts.' } },
  },
});

/** In the order in which an integrator needs them. */
const TAGS = {
  Access: 'The current credential and its scopes',
  Products: 'The catalogue, and how each product is tracked',
  Partners: 'Suppliers, customers and manufacturers',
  Warehouses: 'Where stock is kept',
  Inventory: 'Live stock',
  'Stock operations': 'Adjustments, holds, transfers, and the ledger of every change',
  Orders: 'Sales orders, from synchronization to delivery',
  Receipts: 'Arrived goods and their acceptance',
  Dispatches: 'Picking, re-check by a second person, delivery',
  'UDI and traces': 'The content of a UDI code, and the history of its goods',
  Labels: 'UDI labels to print',
  Imports: 'Files of products, partners, certificates and opening stock',
  Quality: 'The register of nonconforming goods, and dispositions by two people',
  Recalls: 'Block stock, stop dispatches, list consignees',
  Certificates: 'Licences and registrations, and their validity',
  Environment: 'Temperature and humidity, and their alerts',
  Events: 'The feed of events',
  Webhooks: 'The same events, pushed and signed',
  'Request log': 'Your latest calls, and why some failed',
  Audit: 'Who changed what, and why',
  Settings: 'The organization, its people, keys and OAuth clients',
  Sandboxes: 'Organizations for tests, with a clock that you can move',
  Search: 'Records of all kinds by any part of a number, name or code',
  Overview: 'Status and tasks for the first page of the console',
  Live: 'Change notifications as server-sent events',
  Console: 'Sign-in and your account',
};

/** OpenAPI 3.1, made from the very schemas that validate. */
export const openApiOptions: FastifyDynamicSwaggerOptions = {
  openapi: {
    openapi: '3.1.0',
    info: {
      title: 'Lotward',
      version: API_VERSION,
      description:
        'Medical-device supply chain: products, live stock, orders, traces, licences and events. Every success is HTTP 200 with ' +
        '`code` 0; every failure is one of six rows, with machine-readable reasons in `errors`.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that gave you this document' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key (`Authorization: Bearer lw_…`, of a sandbox `lwt_…`) or an access token of an OAuth client.',
        },
        oauth: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl: '/oauth/token', scopes: { ...SCOPE_DESCRIPTIONS } },
            authorizationCode: {
              authorizationUrl: '/oauth/authorize',
              tokenUrl: '/oauth/token',
              refreshUrl: '/oauth/token',
              scopes: { ...SCOPE_DESCRIPTIONS },
            },
          },
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'lotward_session',
          description: 'A person signed in at the console; with `X-CSRF-Token` where something is changed.',
        },
      },
      schemas: { Failure: failure as never },
      headers: { IdempotentReplayed: REPLAYED as never, ETag: ETAG as never },
    },
    security: [{ bearer: [] }, { oauth: [] }, { session: [] }],
  },
  hideUntagged: true,
  transformObject(document) {
    const spec = ('openapiObject' in document ? document.openapiObject : document.swaggerObject) as {
      paths: Record<string, Record<string, Operation>>;
      webhooks?: object;
      components: { schemas: Record<string, unknown> };
    };
    const names = new NamedSchemas();
    const examples = readExamples();
    for (const operations of Object.values(spec.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        // Listed last, where it has always been in the document.
        const { operationId } = operation;
        delete (operation as Partial<Operation>).operationId;
        operation.operationId = operationId;
        nameSchemas(operation, names);
        showExample(operation, examples[operationId]);
        Object.assign(operation.responses, responses);
        if (method === 'post' || method === 'patch') describeIdempotency(operation);
        if (operation['x-if-match']) describeCondition(operation);
        if (operation['x-etag']) describeTag(operation);
      }
    }
    spec.webhooks = Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookOf(type, names)]));
    Object.assign(spec.components.schemas, names.all);
    return spec as never;
  },
};
