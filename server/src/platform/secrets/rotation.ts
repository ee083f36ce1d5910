/** How long the previous secret stays valid after a rotation, for keys, OAuth clients and webhooks alike. */
export const OVERLAP_SECONDS_DEFAULT = 86_400;
export const OVERLAP_SECONDS_MAX = 7 * 86_400;
