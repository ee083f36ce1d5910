/* Runs inside the tests: says which line is taken away now, and notes which ones would have made a difference. */
import { appendFileSync } from 'node:fs';

const { LOTWARD_MUTANT: gone, LOTWARD_MUTANTS_SEEN: notes } = process.env;
const noted = new Set();

export const isGone = (id) => id === gone;

export function note(id) {
  if (!notes || noted.has(id)) return;
  noted.add(id);
  appendFileSync(notes, `${id}\n`);
}

/** A condition that refuses matters where it holds; one that must hold, wherever it is not simply true. */
export function seen(id, value, refuses) {
  if (refuses ? value : value !== true) note(id);
  return value;
}

/** For a mutant that matters wherever it is reached. */
export function isOn(id) {
  note(id);
  return id === gone;
}
