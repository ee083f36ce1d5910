import type { FastifySchema } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { ApiError } from '../errors/index.js';
import { mediaTypeOf } from './file-answers.js';
import { describeLag } from './lagging-reads.js';
import { isOpen, isTagged, type Route, receivedTypes } from './route.js';
import { Strict } from './schema.js';

/** How the slice that owns bound credentials (`Principal.boundTo`) documents and refuses them. */
export interface CredentialBinding {
  /** The OpenAPI extension that says whether bound credentials may call an operation. */
  extension: `x-${string}`;
  refuse(): ApiError;
}

/** The schema of a route, which validates its requests, serializes its responses and describes both. */
export function schemaOf(route: Route, binding: CredentialBinding) {
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...descriptionOf(route),
    'x-scope': route.scope,
    [binding.extension]: route.boundCredentials ?? 'refused',
    'x-console': route.console ?? 'not needed',
    ...(route.stepUp ? { 'x-step-up': true } : {}),
    ...(isTagged(route) ? { 'x-etag': true } : {}),
    ...(isConditional(route) ? { 'x-if-match': true } : {}),
    ...(isConditional(route) && route.method === 'PATCH' ? { consumes: PATCH_TYPES } : {}),
    ...(route.mayLag ? { 'x-may-lag': route.mayLag === true ? true : { with: route.mayLag.with } } : {}),
    ...(isOpen(route) ? { security: [] } : {}),
    // A route without parameters refuses any.
    querystring: route.query ?? Strict({}),
    ...(route.params ? { params: route.params } : {}),
    ...('body' in route && route.body ? { body: route.body } : {}),
    response: { 200: answerShapeOf(route) },
  };
}

const isConditional = (route: Route): boolean => route.kind === 'write' && route.conditional === true;
const PATCH_TYPES = ['application/json', 'application/merge-patch+json'];

function descriptionOf({ description, mayLag }: Route): { description?: string } {
  const sentences = [description, mayLag && describeLag(mayLag)].filter((text) => text !== undefined);
  return sentences.length > 0 ? { description: sentences.join(' ') } : {};
}

/**
 * A route as the reference describes it, where that differs from what validates its requests: the router calls the rest of a
 * path `*`, and a route that validates parts of its body itself declares less.
 */
export const referenceOf =
  (route: Route) =>
  ({ schema, url }: { schema: FastifySchema; url: string }) => ({
    schema: {
      ...schema,
      ...(route.rest === undefined ? {} : { params: Strict({ [route.rest]: Type.String() }) }),
      ...describedFile(route),
      ...('describedBody' in route && route.describedBody ? { body: route.describedBody } : {}),
    },
    url: route.rest === undefined ? url : url.replace('*', `:${route.rest}`),
  });

/** The schema of a file body serves the reference only: no validator could check its bytes. */
function describedFile(route: Route): object {
  const types = receivedTypes(route);
  return types === null ? {} : { body: { content: contentOf(types, FileBytes()) } };
}

const contentOf = (mediaTypes: readonly string[], schema: TSchema) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
const FileBytes = () => Type.String({ format: 'binary' });

function answerShapeOf(route: Route) {
  const plain = (description: string, mediaType: string) => ({
    description,
    content: contentOf([mediaType], Type.String()),
  });
  if (route.kind === 'file') return plain('The file.', mediaTypeOf(route));
  if (route.kind === 'kept-file')
    return { description: 'The file.', content: contentOf(route.mediaTypes, FileBytes()) };
  if (route.kind === 'stream') return plain('Server-sent events.', 'text/event-stream');
  return envelopeOf(route.data);
}

const envelopeOf = (data: TSchema) => Type.Object({ code: Type.Integer(), message: Type.String(), data });
