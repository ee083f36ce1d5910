interface Schemas {
  components: { schemas: Record<string, unknown> };
}

/** The document with every named schema written out where it is used, as a reader of its operations sees it. */
export function dereferenced<D>(document: D & Schemas): D & Schemas {
  const { schemas } = document.components;
  const resolve = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(resolve);
    if (typeof part !== 'object' || part === null) return part;
    const name = '$ref' in part ? /^#\/components\/schemas\/(\w+)$/.exec(String(part.$ref))?.[1] : undefined;
    if (name !== undefined) {
      const { $ref: _, ...beside } = part as { $ref: string };
      return { ...(resolve(schemas[name]) as object), ...beside };
    }
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, resolve(value)]));
  };
  return resolve(document) as D & Schemas;
}
