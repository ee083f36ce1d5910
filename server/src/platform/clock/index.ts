/** Where the present instant comes from. Injected everywhere, so that tests can be at any moment. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
