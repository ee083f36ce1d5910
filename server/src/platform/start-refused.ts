/** The start failed for a reason that the operator can fix: shown without a stack trace. */
export class StartRefused extends Error {}
