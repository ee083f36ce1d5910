/**
 * A call from a slice to those above it, which it cannot import: the slice declares the hook, `app` connects it. Handlers
 * run in the caller's transaction. Without a handler the call throws, so that an incompletely connected process fails on
 * its first write instead of losing what the handler would have written.
 */
export interface Hook<Args extends unknown[], Result = unknown> {
  (...args: Args): Promise<Result>;
  /** Replaces the handler: connecting twice is harmless. */
  connect(handler: (...args: Args) => Promise<Result>): void;
}

export function createHook<Args extends unknown[], Result = unknown>(name: string): Hook<Args, Result> {
  let connected: ((...args: Args) => Promise<Result>) | undefined;
  const run = async (...args: Args): Promise<Result> => {
    if (!connected) throw new Error(`Hook ${name} is not connected. Call connectSlices() at startup.`);
    return connected(...args);
  };
  return Object.assign(run, {
    connect(handler: (...args: Args) => Promise<Result>): void {
      connected = handler;
    },
  });
}
