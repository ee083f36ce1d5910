import { Fragment } from 'react';

/** Splits a text before and after each occurrence of the search text, ignoring case: every second part matches. */
export function matchingParts(text: string, sought: string): string[] {
  const plain = text.toLowerCase();
  const wanted = sought.toLowerCase();
  // Some letters change their length in lower case, and positions would then be wrong.
  if (wanted === '' || plain.length !== text.length) return [text];
  const parts: string[] = [];
  let from = 0;
  for (let at = plain.indexOf(wanted); at >= 0; at = plain.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), text.slice(at, at + wanted.length));
    from = at + wanted.length;
  }
  return [...parts, text.slice(from)];
}

/** A text with its matching parts highlighted. */
export const MarkedText = ({ text, sought }: { text: string; sought: string }) =>
  matchingParts(text, sought).map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which have no other name
      <mark key={at} className="palette-match">
        {part}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which have no other name
      <Fragment key={at}>{part}</Fragment>
    ),
  );
