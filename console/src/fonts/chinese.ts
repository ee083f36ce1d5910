const declareChinese = () => import('@fontsource-variable/noto-sans-sc');

/** The last font family, used only for letters that none of the others has. */
export const MISSING_CHINESE = 'Missing Chinese';
const HAN = 'U+3400-4DBF, U+4E00-9FFF';

let isAwaited = false;

/**
 * Declares the bundled Chinese font: immediately, or when the page first shows letters that no system font has, such as in a
 * product name. The declarations are a large style sheet; the font files are fetched as needed.
 */
export function offerChinese(when: 'now' | 'when-missing'): void {
  if (when === 'now') {
    declareChinese();
    return;
  }
  if (isAwaited) return;
  isAwaited = true;
  // A file that the page has already loaded: if the browser requests it, a letter is missing.
  const latin = new URL('./inter-latin-400-700.woff2', import.meta.url).href;
  const face = new FontFace(MISSING_CHINESE, `url(${latin})`, { unicodeRange: HAN });
  document.fonts.add(face);
  face.loaded.then(declareChinese);
}
