import type { FastifyError } from 'fastify';
import { ApiError, ERROR_ROWS } from '../errors/index.js';
import { invalid } from './json-body.js';
import type { RequestReason } from './reasons.js';

/** Sent with every response: no caching, no content sniffing, no referrer, nothing loaded. Pages have policies of their own. */
export const SAFE_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** Maps errors of the framework to our reasons. */
const FRAMEWORK_REASONS: Record<string, RequestReason> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_request',
  FST_ERR_BAD_URL: 'malformed_request',
};

/** Maps any thrown error to a row of the table. An unexpected one becomes an internal error without details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const failure = error as Partial<FastifyError>;
  const reason = FRAMEWORK_REASONS[failure.code ?? ''];
  if (reason) return invalid(reason);
  if (failure.statusCode !== undefined && failure.statusCode >= 400 && failure.statusCode < 500) {
    return invalid('malformed_request');
  }
  return new ApiError('internal', [], { cause: error });
}

export function failureBody(error: ApiError, requestId: string) {
  const row = ERROR_ROWS[error.kind];
  return { code: row.code, message: row.message, data: null, requestId, errors: error.issues };
}
