import type { ReactNode } from 'react';

/** A code, a number of a document or an id: people compare it character by character. */
export const CodeText = ({ children }: { children: ReactNode }) => (
  <span className="code" style={isShort(children) ? { whiteSpace: 'nowrap' } : undefined}>
    {children}
  </span>
);

const SHORT_CODE_MAX = 16;
/** A short code is not broken at its hyphens; a long one may have to be. */
const isShort = (code: ReactNode): boolean => typeof code === 'string' && code.length <= SHORT_CODE_MAX;

/** For inputs of codes: drawn like codes, and left as they are typed. */
export const CODE_INPUT = {
  classNames: { input: 'code' },
  spellCheck: false,
  autoCapitalize: 'off',
  autoCorrect: 'off',
} as const;
