import { Type } from 'typebox';

/** Wire shapes of secrets that the server creates and rotates: keys, OAuth clients, webhooks. */

/** For a response of a route with `showsSecret`: no other response contains the secret again. */
export const ShownOnce = (meaning = '') =>
  Type.String({ description: `${meaning} Shown only once. Store it now.`.trimStart() });

/** An overlap above 7 days has the slice's own reason, so the shape allows it. */
export const OverlapSeconds = () =>
  Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      description: 'How long both secrets are valid: one day by default, at most 7 days.',
    }),
  );
