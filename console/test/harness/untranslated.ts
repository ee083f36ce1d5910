import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const sources = fileURLToPath(new URL('../../src', import.meta.url));

/** The English texts of every `dictionary(…)` that read otherwise in Chinese: none of them belongs on a Chinese page. */
export function englishTexts(): string[] {
  const english = new Set<string>();
  const chinese = new Set<string>();
  for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    if (!/\.tsx?$/.test(entry.name)) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    if (!text.includes('dictionary(')) continue;
    const file = ts.createSourceFile(entry.name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
    for (const [en, zh] of dictionariesIn(file)) {
      for (const each of textsIn(en)) english.add(each);
      for (const each of textsIn(zh)) chinese.add(each);
    }
  }
  return [...english].filter((text) => !chinese.has(text) && /[a-z]{2}/.test(text));
}

function dictionariesIn(node: ts.Node): [ts.Expression, ts.Expression][] {
  const found: [ts.Expression, ts.Expression][] = [];
  const look = (each: ts.Node): void => {
    if (ts.isCallExpression(each) && each.expression.getText() === 'dictionary') {
      const [en, zh] = each.arguments;
      if (en && zh) found.push([en, zh]);
    }
    ts.forEachChild(each, look);
  };
  look(node);
  return found;
}

/** Constant texts only; texts composed by functions are unknown here. */
function textsIn(node: ts.Node): string[] {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap((each) =>
      ts.isPropertyAssignment(each) ? textsIn(each.initializer) : [],
    );
  return [];
}
