/*
 * `server/src/platform` knows no business words: an identifier there that names a thing of the business belongs to the
 * slice that owns it, and is passed in. `batch`, `order`, `serial` and `dispatch` alone are technical words too, so only
 * their compounds are refused.
 */
import ts from 'typescript';

const WORDS =
  /^(?:gtin|gln|udi|products?|customers?|suppliers?|partners?|warehouses?|receipts?|recalls?|certificates?|webhooks?|inventory|stock)$/i;

/** `customerCode` and `ORDER_NO` as words: `customer Code`, `ORDER No`. */
const spaced = (name) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/_/g, ' ');
const compounds = (name) => name.replace(/_/g, '').toLowerCase();
const COMPOUNDS = /^(?:batchno|batchnumber|lotno|serialno|serials|orderno|orderid|dispatchid)$/;

const isBusinessName = (name) =>
  spaced(name)
    .split(' ')
    .some((word) => WORDS.test(word)) || COMPOUNDS.test(compounds(name));

/** Tests may speak of the business: they run against the real schema. */
const isConcerned = (file) =>
  file.startsWith('server/src/platform/') && !/\.(?:test|fixture)\.ts$/.test(file);

export function platformWordFindings(file, text) {
  if (!isConcerned(file)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const findings = [];
  const visit = (node) => {
    if (
      (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) &&
      isBusinessName(node.text.replace('#', ''))
    ) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      findings.push({ line, rule: 'platform-words', text: `"${node.text}" is a word of the business` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}
