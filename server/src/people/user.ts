import { refusePerson } from './people.errors.js';

export const USER_ROLES = ['admin', 'quality', 'warehouse', 'sales', 'viewer'] as const;
export type UserRole = (typeof USER_ROLES)[number];

export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

/** In lower case, so that one person never counts as two: the person who picks may not re-check. */
export function requireEmail(text: string, path: string): string {
  const email = text.toLowerCase();
  if (!isEmail(email)) throw refusePerson('bad_email', path, `${email} is not an e-mail address`);
  return email;
}
