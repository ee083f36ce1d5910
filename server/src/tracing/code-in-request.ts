import { decoded, invalid, literalParameter, parametersOf, restOfPath } from '../platform/http/index.js';

export const CODE_PATH = '/v2/udi/*';

const ADDRESS = /^(\][A-Za-z]\d)?https?:\/\//i;
const BELONGS_TO_LINK = /^\d+$/;

/** Query names made of digits belong to a Digital Link; in any other code nothing can. */
function withLinkParameters(code: string, target: string): string {
  const own = parametersOf(target).filter(({ name }) => BELONGS_TO_LINK.test(name));
  const [first] = own;
  if (!first) return code;
  if (!ADDRESS.test(code)) throw invalid('unknown_parameter', first.name, 'is not known here');
  const query = own.map(({ name, text }) => `${name}=${text}`).join('&');
  return `${code}${code.includes('?') ? '&' : '?'}${query}`;
}

/** The code that stands in the path: percent-encoded as a whole, or an address just as it is. */
export function codeInPath(target: string): string {
  const rest = restOfPath(target, CODE_PATH);
  // An address that stands here unencoded keeps the percent signs that are its own.
  return withLinkParameters(ADDRESS.test(rest) ? rest : decoded(rest), target);
}

/** The parameter `code`, whose `+` is a plus sign: it begins every HIBC code. */
export const codeInQuery = (target: string): string =>
  withLinkParameters(literalParameter(target, 'code') ?? '', target);
