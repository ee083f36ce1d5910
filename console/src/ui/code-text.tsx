import type { ReactNode } from 'react';

/** A code, a number of a document or an id: people compare it character by character. */
export const CodeText = ({ children }: { children: ReactNode }) => <span className="code">{children}</span>;

/** For inputs of codes: drawn like codes, and left as they are typed. */
export const CODE_INPUT = {
  classNames: { input: 'code' },
  spellCheck: false,
  autoCapitalize: 'off',
  autoCorrect: 'off',
} as const;
