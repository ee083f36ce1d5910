import { invalid } from './json-body.js';

/** A request target as it was sent: the router and its parser decode more of it than some values can bear. */

const behindAuthority = (target: string): string => target.replace(/^https?:\/\/[^/?#]*/i, '');

/** What stands in place of the `*` at the end of a route's path, still percent-encoded. */
export function restOfPath(target: string, path: string): string {
  const [sent = ''] = behindAuthority(target).split('?', 1);
  // The segments before it can be encoded too, and then have another length; the slashes between them cannot.
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

/** Percent-decoded and no more: `+` is itself, not a space. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('malformed_request', null, 'the address is not percent-encoded UTF-8');
  }
}

/** A parameter whose `+` is literal; undefined where it was not sent. */
export function literalParameter(target: string, name: string): string | undefined {
  const found = parametersOf(target).find((parameter) => decoded(parameter.name) === name);
  return found && decoded(found.text);
}
