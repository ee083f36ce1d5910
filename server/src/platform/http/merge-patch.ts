import { type TObject, type TSchema, Type } from 'typebox';
import { Nullable, Strict } from './schema.js';

type Fields = { [name: string]: unknown };
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON merge patch (RFC 7396): null removes a field, objects are merged, everything else is replaced. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Fields = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** The fields of a schema, as far as they concern patches. */
interface Shape {
  type?: string | readonly string[];
  properties?: Record<string, TSchema>;
  description?: string;
}

const typesOf = ({ type }: Shape): readonly string[] => (typeof type === 'string' ? [type] : (type ?? []));

/** The merge patches of a body: every field may be omitted, or null to remove it, at each level. */
export const PatchOf = (body: TObject): TObject =>
  Strict(
    Object.fromEntries(
      Object.entries(body.properties as Record<string, TSchema>).map(([name, schema]) => [
        name,
        Type.Optional(patchOfField(schema)),
      ]),
    ),
  );

function patchOfField(schema: TSchema): TSchema {
  const shape = schema as Shape;
  const types = typesOf(shape);
  if (shape.properties) {
    const { description } = shape;
    const patch = PatchOf(schema as unknown as TObject);
    return Nullable(description === undefined ? patch : { ...patch, description });
  }
  // A field of any type may be null already.
  return types.length === 0 || types.includes('null') ? schema : Nullable(schema);
}
