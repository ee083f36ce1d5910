/*
 * Mutants that no test can notice, because the program does the same with them. Each is named by its file, the line it
 * stands in, and what it was; one that is not found any more, or that a test does notice, fails the run.
 *
 * @type {{ file: string, line: string, was: string, why: string }[]}
 */
export const equivalents = [];
