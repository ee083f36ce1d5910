import { CODE_LENGTH_MAX } from '@lotward/udi';
import { Type } from 'typebox';
import { type Database, readBusinessDay } from '../platform/database/index.js';
import { fileRoute, literalParameter, OneOf, type Route, Strict } from '../platform/http/index.js';
import { SYMBOLOGIES } from './label.rules.js';
import { labelOfCode, zplOfCode } from './label-of-code.js';
import { type Density, LABEL_SIZES } from './zpl.rules.js';

const CodeParameter = () =>
  Type.String({
    minLength: 1,
    maxLength: CODE_LENGTH_MAX,
    description: 'A UDI code of GS1 or HIBC, percent-encoded; `+` means itself.',
  });

const NameParameter = () =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'The name of the product, printed above the code together with the expiry date in it, for people to read.',
    }),
  );

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
      code: CodeParameter(),
      symbology: Type.Optional(OneOf(SYMBOLOGIES)),
      name: NameParameter(),
    }),
    contentType: 'image/svg+xml; charset=utf-8',
    render: async ({ principal, query, target }) => ({
      body: await labelOfCode(
        principal.orgId,
        literalParameter(target, 'code') ?? query.code,
        await readBusinessDay(database, principal),
        query,
      ),
    }),
  }),
  fileRoute({
    operationId: 'writeUdiLabelForPrinter',
    path: '/labels/udi.zpl',
    scope: 'udi:read',
    boundCredentials: 'allowed',
    countsAs: 5,
    tag: 'Labels',
    summary: 'Write a UDI label for a Zebra printer',
    description:
      'ZPL II with the code as GS1 DataMatrix (HIBC as DataMatrix) and its human-readable text, to be sent to the printer as it is. Modules are ' +
      '0.254 to 0.495 mm wide. Counts as five requests.',
    query: Strict({
      code: CodeParameter(),
      size: Type.Optional(OneOf(LABEL_SIZES, 'Width and height in millimetres. The default is `50x25`.')),
      dpi: Type.Optional(
        OneOf(['203', '300', '600'] as const, 'The density of the printer. The default is `203`.'),
      ),
      name: NameParameter(),
      copies: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'One when not given.' })),
    }),
    contentType: 'application/zpl; charset=utf-8',
    render: async ({ principal, query, target }) => ({
      fileName: 'label.zpl',
      body: await zplOfCode(
        principal.orgId,
        literalParameter(target, 'code') ?? query.code,
        await readBusinessDay(database, principal),
        {
          size: query.size ?? '50x25',
          density: Number(query.dpi ?? '203') as Density,
          copies: query.copies ?? 1,
          name: query.name,
        },
      ),
    }),
  }),
];
