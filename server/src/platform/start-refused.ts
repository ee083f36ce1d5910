/** The start cannot go on, and the operator can do something about it: shown as it is, without a stack. */
export class StartRefused extends Error {}
