import { type ApiError, ERROR_ROWS, type ErrorKind } from '../platform/errors/index.js';

/** An error response of RFC 6749. */
export class OAuthError extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    description: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(description);
  }

  get body(): { error: string; error_description: string } {
    return { error: this.error, error_description: this.message };
  }
}

export const invalidRequest = (description: string): OAuthError =>
  new OAuthError(400, 'invalid_request', description);

export const invalidClient = (): OAuthError =>
  new OAuthError(401, 'invalid_client', 'client authentication failed', {
    'www-authenticate': 'Basic realm="lotward"',
  });

const WORDS: Readonly<Record<ErrorKind, string>> = {
  invalid: 'invalid_request',
  unauthenticated: 'access_denied',
  forbidden: 'access_denied',
  missing: 'invalid_request',
  limited: 'temporarily_unavailable',
  internal: 'server_error',
};

/** An API error as an OAuth error response. */
export const toOAuthError = ({ kind, message, headers }: ApiError): OAuthError =>
  new OAuthError(ERROR_ROWS[kind].status, WORDS[kind], message, headers);
