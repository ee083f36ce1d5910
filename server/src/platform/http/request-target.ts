import { invalid } from './json-body.js';

/** Reads the raw request target, because the router and its parser decode more than some values, such as UDI codes, allow. */

const behindAuthority = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, '');

/** The part of the path that matches the final `*` of a route, still percent-encoded. */
export function restOfPath(target: string, path: string): string {
  const [sent = ''] = behindAuthority(target).split('?', 1);
  // Counts slashes, because earlier segments can be percent-encoded and then have another length.
  const slashes = path.split('/').length - 1;
  return sent.split('/').slice(slashes).join('/');
}

/** One parameter of the query, still percent-encoded. */
interface Parameter {
  name: string;
  text: string;
}

export function parametersOf(target: string): Parameter[] {
  const at = target.indexOf('?');
  if (at === -1) return [];
  return target
    .slice(at + 1)
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const end = part.indexOf('=');
      return end === -1 ? { name: part, text: '' } : { name: part.slice(0, end), text: part.slice(end + 1) };
    });
}

/** Percent-decodes only: `+` stays a plus sign. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('malformed_request', null, 'the address is not percent-encoded UTF-8');
  }
}

/** A query parameter in which `+` is literal; undefined if it was not sent. */
export function literalParameter(target: string, name: string): string | undefined {
  const found = parametersOf(target).find((parameter) => decoded(parameter.name) === name);
  return found && decoded(found.text);
}
