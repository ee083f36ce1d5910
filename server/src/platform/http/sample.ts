/** Enough for the issues of any body written by hand, and validated in a millisecond. */
const VALUES_MAX = 2_000;

interface Budget {
  left: number;
  /** Something was left out since the budget was created. */
  isCut: boolean;
}

/**
 * The beginning of a value, so that collecting all its issues costs the same however large it is: long arrays are cut, other
 * values stay whole. Undefined if even that is too much.
 */
export function sampleOf(value: unknown): unknown {
  return take(value, { left: VALUES_MAX, isCut: false });
}

function take(value: unknown, budget: Budget): unknown {
  budget.left--;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? takeItems(value, budget) : takeFields(value, budget);
}

function takeItems(items: readonly unknown[], budget: Budget): unknown[] | undefined {
  const taken: unknown[] = [];
  for (const item of items) {
    if (budget.left <= 0) budget.isCut = true;
    if (budget.isCut) break;
    const copy = take(item, budget);
    // Part of an item would have issues that the whole item does not.
    if (budget.isCut && taken.length > 0) break;
    if (copy === undefined) return undefined;
    taken.push(copy);
  }
  return taken;
}

function takeFields(object: object, budget: Budget): object | undefined {
  const fields = Object.entries(object);
  if (fields.length > budget.left) {
    budget.isCut = true;
    return undefined;
  }
  const taken: Record<string, unknown> = {};
  for (const [name, field] of fields) {
    const copy = take(field, budget);
    if (copy === undefined) return undefined;
    taken[name] = copy;
  }
  return taken;
}
