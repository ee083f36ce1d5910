export const ROLE_KINDS = ['app', 'reader', 'worker'] as const;
export type RoleKind = (typeof ROLE_KINDS)[number];

export const quoted = (identifier: string): string => `"${identifier.replaceAll('"', '""')}"`;
