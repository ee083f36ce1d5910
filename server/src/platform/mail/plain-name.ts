import { oneLine } from './message.js';

const LENGTH_MAX = 200;
/** Dots that mail programs read like that of a host name. */
const DOT = '[.。．｡]';
const SCHEME = /([a-z][a-z0-9+-]*)(:)(?=\/\/|[^\s\d])/giu;
const HOST = new RegExp(`(?<=[\\p{L}\\p{N}_-])(${DOT})(?=\\p{L}[\\p{L}\\p{N}-]*\\p{L})`, 'gu');
const ADDRESS = new RegExp(`\\b(\\d{1,3})(${DOT})(\\d{1,3})(${DOT})(\\d{1,3})(${DOT})(\\d{1,3})\\b`, 'gu');

/**
 * A user-chosen name for a mail to another person: one line, nothing invisible, and nothing that a mail program turns into a
 * link. `evil.example` becomes `evil[.]example`.
 */
export function plainName(text: string): string {
  const line = oneLine(text.replace(/\p{Cf}/gu, '')).slice(0, LENGTH_MAX);
  return line
    .replace(SCHEME, '$1[$2]')
    .replace(ADDRESS, '$1[$2]$3[$4]$5[$6]$7')
    .replace(HOST, '[$1]')
    .replace(/(?<=\S)@(?=\S)/gu, '[@]');
}
