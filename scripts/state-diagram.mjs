/*
 * Draws the states of a resource as SVG, from the very table of moves that the service goes by:
 *
 *   node scripts/state-diagram.mjs order
 */
import { allMachines } from '../server/dist/app/machines.js';
import { drawn } from './state-diagram/draw.mjs';
import { placed } from './state-diagram/place.mjs';

const machine = allMachines.find(({ resource }) => resource === process.argv[2]);
if (!machine) throw new Error(`say which: ${allMachines.map(({ resource }) => resource).join(' or ')}`);
console.log(drawn(machine.resource, placed(graphOf(machine))));

/** States, what can be done without leaving each, and one edge for each pair with all actions that lead along it. */
function graphOf({ moves }) {
  const states = new Map();
  const edges = new Map();
  const state = (name) => {
    if (!states.has(name)) states.set(name, { name, staying: [] });
    return states.get(name);
  };
  for (const { from, action, to } of moves) {
    // The same on both sides: each stays what it is.
    const stays = from.length === to.length && from.every((name) => to.includes(name));
    for (const source of from) {
      for (const target of stays ? [source] : to) {
        state(source);
        state(target);
        if (source === target) state(source).staying.push(action);
        else {
          const key = `${source} ${target}`;
          const edge = edges.get(key) ?? { source, target, actions: [] };
          edge.actions.push(action);
          edges.set(key, edge);
        }
      }
    }
  }
  return { states: [...states.values()], edges: [...edges.values()] };
}
