/*
 * Mutants that no test can notice, because the program does the same with them. Each is named by its file, the line it
 * stands in, and what it was; one that is not found any more, or that a test does notice, fails the run.
 *
 * @type {{ file: string, line: string, was: string, why: string }[]}
 */
export const equivalents = [
  {
    file: 'udi/src/gs1/digital-link.ts',
    line: '({ text }, index) => isDigits(text) && applicationIdentifiers.has(text) && index + 1 < path.length,',
    was: 'isDigits(text)',
    why: 'every application identifier consists of digits, and the next operand asks for one',
  },
  {
    file: 'udi/src/gs1/digital-link.ts',
    line: "if (colon === -1 || code[colon] !== '/') return -1;",
    was: 'colon === -1',
    why: 'there is no character at position -1, so the next operand refuses the code too',
  },
  {
    file: 'udi/src/hibc/check-character.ts',
    line: "for (let at = 0; at < text.length; at += 1) sum += values.get(text[at] ?? '') ?? 0;",
    was: 'at < text.length',
    why: 'the one more position is behind the text and adds 0',
  },
];
