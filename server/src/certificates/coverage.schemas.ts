import { Type } from 'typebox';
import { RISK_CLASSES } from '../catalogue/index.js';
import { Instant, Model, Nullable, OneOf, Text } from '../platform/http/index.js';
import { COVERAGE_EXCLUSIONS, type CoverageChange } from './coverage.js';

const ENTRIES_MAX = 20;
const CATEGORIES_MAX = 50;

const Entry = Model(
  'CoverageEntry',
  {
    riskClasses: Type.Optional(
      Type.Array(OneOf(RISK_CLASSES), {
        minItems: 1,
        uniqueItems: true,
        description: 'Omitted: every class, and products without one.',
      }),
    ),
    categories: Type.Optional(
      Type.Array(Text(64, 'A whole category, the beginning of categories followed by `*`, or `*` for all.'), {
        minItems: 1,
        maxItems: CATEGORIES_MAX,
        uniqueItems: true,
        examples: [['6846', '02*']],
        description: 'Omitted: every category, and products without one.',
      }),
    ),
    excludes: Type.Optional(
      Type.Array(OneOf(COVERAGE_EXCLUSIONS), {
        minItems: 1,
        uniqueItems: true,
        description:
          'Products that the entry leaves out. `cold_chain`: products whose upper storage limit is 10 °C or lower.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** The products that a certificate covers, as it is sent and shown. */
export const CoverageField = () =>
  Nullable(
    Type.Array(Entry, {
      minItems: 1,
      maxItems: ENTRIES_MAX,
      uniqueItems: true,
      description:
        'The products that the certificate covers: those within at least one entry. null: all products.',
    }),
  );

export const CoverageChangeView = Model('CoverageChange', {
  previousCoverage: CoverageField(),
  currentCoverage: CoverageField(),
  changedBy: Type.String(),
  changedAt: Instant(),
});

export const toCoverageChangeView = ({ changedAt, ...change }: CoverageChange) => ({
  ...change,
  changedAt: changedAt.toISOString(),
});
