/** Secrets, recognized by their prefix anywhere in the text. The id of an OAuth client looks similar but is not secret. */
const SECRETS = /\blw(?!c_)[a-z]{0,2}_[\w-]{20,}|\bwhsec_[^/?&#]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*/g;
const HIDDEN = '***';

/** A text of a request or response without the secrets in it. */
export const withoutSecrets = (text: string): string => text.replace(SECRETS, HIDDEN);

/**
 * The URL of a request as it may be logged. A query parameter that the route does not declare was sent by mistake and may
 * contain anything, so only its name is logged.
 */
export function loggedUrl(url: string, asked: object = {}): string {
  const at = url.indexOf('?');
  if (at === -1) return withoutSecrets(url);
  const query = url
    .slice(at + 1)
    .split('&')
    .map((parameter) => {
      const end = parameter.indexOf('=');
      const name = end === -1 ? parameter : parameter.slice(0, end);
      if (Object.hasOwn(asked, name)) return parameter;
      return end === -1 ? HIDDEN : `${name}=${HIDDEN}`;
    });
  return withoutSecrets(`${url.slice(0, at)}?${query.join('&')}`);
}
