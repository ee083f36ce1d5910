export {
  type IndexedRecord,
  type IndexSource,
  KINDS,
  type Kind,
  pairChoice,
  pairKey,
  pairOf,
} from './entry.js';
export { hasMarks } from './find.store.js';
export { type Found, findEntries } from './find-entries.js';
export { enterMarked, findMatches, type Matches, SUBJECTS_MAX } from './find-matches.js';
export { soughtIn } from './grams.rules.js';
export { fillEverywhere, indexBeforeSearch, indexEverywhere } from './index-records.js';
export { noteSearchable } from './mark.store.js';
