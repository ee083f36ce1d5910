import { decoded, invalid, literalParameter, parametersOf, restOfPath } from '../platform/http/index.js';

export const CODE_PATH = '/v2/udi/*';

const ADDRESS = /^(\][A-Za-z]\d)?https?:\/\//i;
const BELONGS_TO_LINK = /^\d+$/;

/** Numeric query names are part of a Digital Link; with any other code they are unknown parameters. */
function withLinkParameters(code: string, target: string): string {
  const own = parametersOf(target).filter(({ name }) => BELONGS_TO_LINK.test(name));
  const [first] = own;
  if (!first) return code;
  if (!ADDRESS.test(code)) throw invalid('unknown_parameter', first.name, 'is not known here');
  const query = own.map(({ name, text }) => `${name}=${text}`).join('&');
  return `${code}${code.includes('?') ? '&' : '?'}${query}`;
}

/** Reads the code from the path: percent-encoded as a whole, or a Digital Link unchanged. */
export function codeInPath(target: string): string {
  const rest = restOfPath(target, CODE_PATH);
  // An unencoded Digital Link keeps its own percent signs.
  return withLinkParameters(ADDRESS.test(rest) ? rest : decoded(rest), target);
}

/** Reads the parameter `code` with `+` as a plus sign, because every HIBC code begins with one. */
export const codeInQuery = (target: string): string =>
  withLinkParameters(literalParameter(target, 'code') ?? '', target);
