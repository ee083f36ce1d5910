import { Type } from 'typebox';

/** The refusals that the certificate gate only warned of at the last step of a document. */
export const Warnings = () =>
  Type.Array(Type.Object({ reason: Type.String(), message: Type.String() }), {
    description:
      'What stood against the last step and was let through; empty where the organization refuses.',
  });
