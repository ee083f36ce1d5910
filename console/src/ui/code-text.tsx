import type { ReactNode } from 'react';

/** A code, document number or id, which people compare character by character. */
export const CodeText = ({ children }: { children: ReactNode }) => (
  <span className="code" style={isShort(children) ? { whiteSpace: 'nowrap' } : undefined}>
    {children}
  </span>
);

const SHORT_CODE_MAX = 16;
/** A short code does not wrap at its hyphens; a long one may have to. */
const isShort = (code: ReactNode): boolean => typeof code === 'string' && code.length <= SHORT_CODE_MAX;

/** For inputs of codes: styled like codes, without autocorrection. */
export const CODE_INPUT = {
  classNames: { input: 'code' },
  spellCheck: false,
  autoCapitalize: 'off',
  autoCorrect: 'off',
} as const;
