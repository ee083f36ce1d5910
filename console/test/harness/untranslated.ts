import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const sources = fileURLToPath(new URL('../../src', import.meta.url));

/** The constant texts of every `dictionary(…)`: in English, and the Chinese ones in their place. */
export const constantTexts: readonly (readonly [english: string, chinese: string])[] = readConstantTexts(
  () => true,
);
/** Offers words that become data: an organization that works in English has them on its Chinese pages, too. */
const OFFERS_DATA = 'type-field.tsx';

function readConstantTexts(isRead: (file: string) => boolean): [string, string][] {
  const found: [string, string][] = [];
  for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    if (!/\.tsx?$/.test(entry.name) || !isRead(entry.name)) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    if (!text.includes('dictionary(')) continue;
    const file = ts.createSourceFile(entry.name, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
    for (const [en, zh] of dictionariesIn(file)) {
      const chinese = textsIn(zh);
      for (const [name, english] of textsIn(en)) found.push([english, chinese.get(name) ?? english]);
    }
  }
  return found;
}

/** The English texts that read otherwise in Chinese: none of them belongs on a Chinese page. */
export function englishTexts(): string[] {
  const chinese = new Set(constantTexts.map(([, text]) => text));
  const words = readConstantTexts((file) => file !== OFFERS_DATA);
  return [...new Set(words.map(([text]) => text))].filter(
    (text) => !chinese.has(text) && /[a-z]{2}/.test(text),
  );
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

/** Constant texts by their place, such as `.groups.overview`; texts composed by functions are unknown here. */
function textsIn(node: ts.Node, place = ''): Map<string, string> {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return new Map([[place, node.text]]);
  if (!ts.isObjectLiteralExpression(node)) return new Map();
  return new Map(
    node.properties.flatMap((each) =>
      ts.isPropertyAssignment(each)
        ? [...textsIn(each.initializer, `${place}.${each.name.getText().replaceAll(/['"]/g, '')}`)]
        : [],
    ),
  );
}
