import { CODE_LENGTH_MAX } from '@lotward/udi';
import { Type } from 'typebox';
import { type Database, readBusinessDay } from '../platform/database/index.js';
import { fileRoute, literalParameter, OneOf, type Route, Strict } from '../platform/http/index.js';
import { SYMBOLOGIES } from './label.rules.js';
import { labelOfCode } from './label-of-code.js';

export const labelRoutes = (database: Database): Route[] => [
  fileRoute({
    operationId: 'drawUdiLabel',
    path: '/labels/udi.svg',
    scope: 'udi:read',
    boundCredentials: 'allowed',
    countsAs: 5,
    tag: 'Labels',
    summary: 'Draw a UDI code as a label',
    description:
      'Returns the symbol with the human-readable code below it, without looking anything up. Counts as five requests.',
    query: Strict({
      code: Type.String({
        minLength: 1,
        maxLength: CODE_LENGTH_MAX,
        description: 'A UDI code of GS1 or HIBC, percent-encoded; `+` means itself.',
      }),
      symbology: Type.Optional(OneOf(SYMBOLOGIES)),
    }),
    contentType: 'image/svg+xml; charset=utf-8',
    render: async ({ principal, query, target }) => ({
      body: await labelOfCode(
        principal.orgId,
        literalParameter(target, 'code') ?? query.code,
        query.symbology,
        await readBusinessDay(database, principal),
      ),
    }),
  }),
];
