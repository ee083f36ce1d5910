import { AddressRefused, ConnectTimeout } from './guarded-connector.js';

/** Why there was no usable response: a stable identifier that reveals nothing about the internal network. */
export type AttemptError =
  | 'address_not_public'
  | 'closed'
  | 'connection_refused'
  | 'connection_reset'
  | 'headers_too_large'
  | 'invalid_request'
  | 'name_not_found'
  | 'not_https'
  | 'port_blocked'
  | 'protocol'
  | 'redirect'
  | 'timeout'
  | 'tls'
  | 'unreachable';

/** The result of one attempt. */
export interface Attempt {
  /** A 2xx status arrived in time. */
  delivered: boolean;
  /** The status of the response, if there was one. */
  status: number | null;
  /** Null if there was a response, except for a redirect, which is never followed. */
  error: AttemptError | null;
  /** The time until the status arrived or the attempt failed. */
  durationMs: number;
  /** Wall-clock time after the body of the response was read. */
  endedAtMs: number;
  /** The beginning of the response body, without characters that PostgreSQL cannot store; null if it was empty. */
  responseExcerpt: string | null;
}

const WORDS: Readonly<Record<string, AttemptError>> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  ECONNABORTED: 'connection_reset',
  EPIPE: 'connection_reset',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  EAI_FAIL: 'name_not_found',
  EAI_NODATA: 'name_not_found',
  EAI_NONAME: 'name_not_found',
  ETIMEOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  EMFILE: 'unreachable',
  ENFILE: 'unreachable',
  ENOBUFS: 'unreachable',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  UND_ERR_INVALID_ARG: 'invalid_request',
  UND_ERR_NOT_SUPPORTED: 'invalid_request',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'invalid_request',
};

/** `connected`: the request had a connection, so it is not the TLS handshake that failed. */
export function attemptError(error: Error & { code?: unknown }, connected: boolean): AttemptError {
  if (error instanceof AddressRefused)
    return error.problem === 'not_public' ? 'address_not_public' : error.problem;
  if (error instanceof ConnectTimeout) return 'timeout';
  const code = typeof error.code === 'string' ? error.code : '';
  const word = WORDS[code];
  if (word) return word;
  if (code === 'UND_ERR_SOCKET') return /closed/.test(error.message) ? 'connection_reset' : 'protocol';
  // Node has many codes for invalid certificates, so any error code before the connection is ready counts as TLS.
  if (!connected) return code === '' ? 'connection_reset' : 'tls';
  return 'protocol';
}

/** PostgreSQL cannot store NUL; decoding leaves no lone surrogates. */
export const excerptOf = (bytes: Buffer): string => bytes.toString('utf8').replaceAll('\0', '');
