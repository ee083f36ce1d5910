import { failure, type UdiFailure } from '../failure.js';
import { companions, exclusions } from './combination-table.js';
import type { Element } from './element.js';

const find = (elements: readonly Element[], oneOf: readonly string[]): Element | undefined =>
  elements.find(({ ai }) => oneOf.some((start) => ai.startsWith(start)));

/** Measures and prices come in up to ten identifiers, one per number of decimals, and only one at once. */
function decimalTwin(elements: readonly Element[]): UdiFailure | undefined {
  const seen = new Map<string, string>();
  for (const { ai, at } of elements) {
    if (ai.length !== 4 || ai < '3100' || ai > '3959') continue;
    const family = ai.slice(0, 3);
    const earlier = seen.get(family) ?? ai;
    if (earlier !== ai)
      return failure('forbidden_combination', at, `(${ai}) cannot stand beside (${earlier})`);
    seen.set(family, ai);
  }
  return undefined;
}

/** Checks which identifiers exclude or require one another. */
export function checkCombination(elements: readonly Element[]): UdiFailure | undefined {
  for (const [first, never] of exclusions) {
    const one = find(elements, [first]);
    const other = one && find(elements, never);
    if (other !== undefined)
      return failure('forbidden_combination', other.at, `(${other.ai}) cannot stand beside (${one?.ai})`);
  }
  for (const [needy, oneOf] of companions) {
    const one = find(elements, needy);
    if (one !== undefined && find(elements, oneOf) === undefined)
      return failure(
        'missing_companion',
        one.at,
        `(${one.ai}) needs ${oneOf.map((ai) => `(${ai})`).join(' or ')}`,
      );
  }
  return decimalTwin(elements);
}
