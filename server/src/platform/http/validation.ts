import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { DataValidateFunction, SchemaValidateFunction } from 'ajv/dist/types/index.js';
import type { TSchema } from 'typebox';
import { isCalendarDate, toUtcInstant } from '../calendar/index.js';
import { ApiError, type Issue } from '../errors/index.js';
import { canonicalJson, isStorableText, pointer } from './json-body.js';
import type { RequestReason } from './reasons.js';
import { sampleOf } from './sample.js';

export type RequestPart = 'body' | 'querystring' | 'params' | 'headers';

const ISSUES_MAX = 20;

interface Format {
  /** Returns the canonical value, or null if the text does not have the format. */
  read(text: string): string | null;
  message: string;
}

const DATE: Format = {
  read: (text) => (isCalendarDate(text) ? text : null),
  message: 'must be a calendar date as YYYY-MM-DD, such as 2028-01-01',
};
const INSTANT: Format = {
  read: toUtcInstant,
  message:
    'must be an RFC 3339 date-time with an offset, such as 2026-11-15T10:00:00Z or 2026-11-15T18:00:00+08:00',
};
// An unescaped `+` in a query is decoded to a space; no valid instant has a space there.
const INSTANT_IN_QUERY: Format = {
  ...INSTANT,
  read: (text) => toUtcInstant(text.replace(/ (?=\d\d(?::?\d\d)?$)/, '+')),
};

function ajv(options: { coerceTypes: false | 'array'; allErrors: boolean }): Ajv {
  const instance = new Ajv({
    ...options,
    strict: false,
    useDefaults: false,
    removeAdditional: false,
    // The meta-schema applies `format` to property names, which a keyword that changes values cannot have. Schemas are
    // built by typed functions, and the OpenAPI document made of them is checked by tests.
    meta: false,
    validateSchema: false,
  });
  const formats = new Map([
    ['date', DATE],
    ['date-time', options.coerceTypes === false ? INSTANT : INSTANT_IN_QUERY],
  ]);
  // Instants are converted to the canonical form at the boundary, so that code which compares, deduplicates or hashes them
  // sees only one form. Ajv's own formats cannot change a value.
  instance.removeKeyword('format').addKeyword({
    keyword: 'format',
    type: 'string',
    schemaType: 'string',
    modifying: true,
    compile: (name: string) => readFormat(formats.get(name)),
  });
  // Ajv's own check compares every pair of items.
  instance.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: requireDistinct,
  });
  return instance;
}

const requireDistinct: SchemaValidateFunction = (isWanted: boolean, items: unknown[]) => {
  if (!isWanted) return true;
  const places = new Map<unknown, number>();
  for (const [i, item] of items.entries()) {
    // Stored texts never contain NUL, so no text can be mistaken for an object.
    const key = typeof item === 'object' ? `\0${canonicalJson(item)}` : item;
    const j = places.get(key);
    if (j !== undefined) {
      const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
      requireDistinct.errors = [{ keyword: 'uniqueItems', message, params: { i, j } }];
      return false;
    }
    places.set(key, i);
  }
  return true;
};

function readFormat(format: Format | undefined): DataValidateFunction {
  const validate: DataValidateFunction = (text: string, at) => {
    const value = format ? format.read(text) : text;
    if (value === null) {
      validate.errors = [{ keyword: 'format', message: format?.message ?? '', params: {} }];
      return false;
    }
    if (at && value !== text) at.parentData[at.parentDataProperty] = value;
    return true;
  };
  return validate;
}

// Query and path values arrive as text and are converted to the type in the schema, one value of a parameter that may be repeated
// to an array of one; bodies have types of their own.
const compilers = {
  body: {
    first: ajv({ coerceTypes: false, allErrors: false }),
    all: ajv({ coerceTypes: false, allErrors: true }),
  },
  text: {
    first: ajv({ coerceTypes: 'array', allErrors: false }),
    all: ajv({ coerceTypes: 'array', allErrors: true }),
  },
};

/**
 * Compiles a schema to a function that throws nothing and returns the issues of a value, or null. Instants in the value
 * are rewritten in place to UTC, numbers in a query to numbers.
 */
export function compile(schema: TSchema, part: RequestPart): (value: unknown) => ApiError | null {
  const { first, all } = part === 'body' ? compilers.body : compilers.text;
  // Compiled on first use: this halves the start time of a process, and most processes serve only a few routes.
  let quick: ValidateFunction | undefined;
  let thorough: ValidateFunction | undefined;
  return (value) => {
    if (part !== 'body') {
      const hidden = findUnstorableName(value);
      if (hidden)
        return new ApiError('invalid', [{ path: hidden, reason: 'bad_text', message: 'contains NUL' }]);
    }
    quick ??= first.compile(schema);
    if (quick(value)) return null;
    // Only a refused request pays for collecting more issues, and only for those at its beginning.
    const found = [...(quick.errors ?? [])];
    const sample = sampleOf(value);
    if (sample !== undefined) {
      thorough ??= all.compile(schema);
      thorough(sample);
      found.push(...(thorough.errors ?? []));
    }
    const issues = distinct(found.map((error) => toIssue(error, part))).slice(0, ISSUES_MAX);
    return new ApiError('invalid', issues);
  };
}

/** The first issue is found twice if it is near the beginning. */
function distinct(issues: readonly Issue[]): Issue[] {
  const byText = new Map(issues.map((issue) => [JSON.stringify(issue), issue]));
  return [...byText.values()];
}

function findUnstorableName(value: unknown): string | null {
  for (const [name, given] of Object.entries(value as Record<string, unknown>)) {
    if (typeof given === 'string' ? !isStorableText(given) : hasUnstorable(given)) return name;
  }
  return null;
}

/** The values of a parameter that was given several times. */
const hasUnstorable = (given: unknown): boolean =>
  Array.isArray(given) && given.some((text) => typeof text === 'string' && !isStorableText(text));

const REASON_OF: Record<string, RequestReason> = {
  required: 'required',
  type: 'wrong_type',
  format: 'bad_format',
  pattern: 'bad_format',
  minLength: 'bad_length',
  maxLength: 'bad_length',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  exclusiveMinimum: 'out_of_range',
  exclusiveMaximum: 'out_of_range',
  multipleOf: 'out_of_range',
  enum: 'not_allowed',
  const: 'not_allowed',
  minItems: 'bad_item_count',
  maxItems: 'bad_item_count',
  minProperties: 'bad_item_count',
  maxProperties: 'bad_item_count',
  uniqueItems: 'duplicate_item',
};

function toIssue(error: ErrorObject, part: RequestPart): Issue {
  const params = error.params as {
    missingProperty?: string;
    additionalProperty?: string;
    allowedValues?: unknown[];
  };
  const name = params.missingProperty ?? params.additionalProperty;
  const whole = name === undefined ? error.instancePath : `${error.instancePath}/${pointer(name)}`;
  // A parameter that was given several times has one name.
  const path = part === 'body' ? whole : (whole.split('/')[1] ?? '');
  if (error.keyword === 'additionalProperties') {
    const reason: RequestReason = part === 'body' ? 'unknown_field' : 'unknown_parameter';
    return { path, reason, message: 'is not known here' };
  }
  const reason = REASON_OF[error.keyword] ?? 'invalid_value';
  if (reason === 'required') return { path, reason, message: 'is required' };
  const allowed = params.allowedValues ? `: ${params.allowedValues.map(String).join(', ')}` : '';
  return { path, reason, message: `${error.message ?? 'is not valid'}${allowed}` };
}
