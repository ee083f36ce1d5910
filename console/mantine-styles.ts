import type { Plugin } from 'vite';

const WHOLE_SHEET = /@mantine\/core\/styles\.layer\.css$/;
const CLASS_NAMES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;
/** Parts of the whole sheet that belong to no component. */
const COMMON = ['default-css-variables', 'baseline', 'global'];

/**
 * Loads the styles of a component of Mantine with its code: the whole sheet has several times what the first page needs.
 * Mantine's cascade layer keeps the console's own rules stronger, whichever arrives last. While the console is worked on,
 * the library is bundled beforehand, and the whole sheet is used.
 */
export const mantineStyles = (): Plugin => ({
  name: 'mantine-styles',
  apply: 'build',
  enforce: 'pre',
  load(id) {
    if (!WHOLE_SHEET.test(id)) return null;
    return COMMON.map((name) => `@import '@mantine/core/styles/${name}.layer.css';`).join('\n');
  },
  transform(code, id) {
    const component = CLASS_NAMES.exec(id)?.[1];
    return component ? `import '@mantine/core/styles/${component}.layer.css';\n${code}` : null;
  },
});
