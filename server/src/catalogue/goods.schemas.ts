import { Type } from 'typebox';
import { Text } from '../platform/http/index.js';

/** A batch number; empty for products not tracked by batch. */
export const BatchNo = () =>
  Type.String({
    maxLength: 64,
    pattern: '^([^\\s\\u0000-\\u001f\\u007f]([^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f])?)?$',
    description: 'Empty for products not tracked by batch.',
  });

export const SERIALS_MAX = 10_000;
export const Serials = () =>
  Type.Array(Text(64), {
    maxItems: SERIALS_MAX,
    uniqueItems: true,
    description: 'For products tracked by serial number.',
  });
