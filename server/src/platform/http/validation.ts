import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { isCalendarDate, isInstant } from '../calendar/index.js';
import { ApiError, type Issue } from '../errors/index.js';
import { isKeepableText, pointer } from './json-body.js';
import type { RequestReason } from './reasons.js';

export type RequestPart = 'body' | 'querystring' | 'params' | 'headers';

const ISSUES_MAX = 20;

function ajv(options: { coerceTypes: boolean; allErrors: boolean }): Ajv {
  const instance = new Ajv({ ...options, strict: false, useDefaults: false, removeAdditional: false });
  instance.addFormat('date', isCalendarDate);
  instance.addFormat('date-time', isInstant);
  return instance;
}

// Query and path values arrive as text and are read as numbers where the schema says so; bodies say what they mean.
const compilers = {
  body: {
    first: ajv({ coerceTypes: false, allErrors: false }),
    all: ajv({ coerceTypes: false, allErrors: true }),
  },
  text: {
    first: ajv({ coerceTypes: true, allErrors: false }),
    all: ajv({ coerceTypes: true, allErrors: true }),
  },
};

/** Compiles a schema to a function that throws nothing and answers the issues of a value, or null. */
export function compile(schema: TSchema, part: RequestPart): (value: unknown) => ApiError | null {
  const { first, all } = part === 'body' ? compilers.body : compilers.text;
  const quick = first.compile(schema);
  let thorough: ValidateFunction | undefined;
  return (value) => {
    if (part !== 'body') {
      const hidden = unkeepableName(value);
      if (hidden)
        return new ApiError('invalid', [{ path: hidden, reason: 'bad_text', message: 'holds NUL' }]);
    }
    if (quick(value)) return null;
    // Only a refused request pays for the whole list.
    thorough ??= all.compile(schema);
    thorough(value);
    const errors = thorough.errors ?? quick.errors ?? [];
    const issues = errors.slice(0, ISSUES_MAX).map((error) => toIssue(error, part));
    return new ApiError('invalid', issues);
  };
}

function unkeepableName(value: unknown): string | null {
  for (const [name, text] of Object.entries(value as Record<string, unknown>)) {
    if (typeof text === 'string' && !isKeepableText(text)) return name;
  }
  return null;
}

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
  const path = part === 'body' ? whole : whole.slice(1);
  if (error.keyword === 'additionalProperties') {
    const reason: RequestReason = part === 'body' ? 'unknown_field' : 'unknown_parameter';
    return { path, reason, message: 'is not known here' };
  }
  const reason = REASON_OF[error.keyword] ?? 'invalid_value';
  if (reason === 'required') return { path, reason, message: 'is required' };
  const allowed = params.allowedValues ? `: ${params.allowedValues.join(', ')}` : '';
  return { path, reason, message: `${error.message ?? 'is not valid'}${allowed}` };
}
