import { useWords } from '../app/language.js';
import { choiceFilter, type ListFilter } from './list-filters.js';
import { taskWords } from './task-words.js';

type TaskKind = keyof (typeof taskWords)['en']['kinds'];

/** The filter of a list by the tasks that the overview counts. */
export function useTaskFilter(...kinds: TaskKind[]): ListFilter {
  const words = useWords(taskWords);
  return choiceFilter(
    words.toDo,
    kinds.map((value) => ({ value, label: words.kinds[value] })),
  );
}
