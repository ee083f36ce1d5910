const declareChinese = () => import('@fontsource-variable/noto-sans-sc');

/** The last of the font families: asked only for letters that none of the others has. */
export const MISSING_CHINESE = 'Missing Chinese';
const HAN = 'U+3400-4DBF, U+4E00-9FFF';

let isAwaited = false;

/**
 * Offers the bundled Chinese letters: at once, or when the page first shows some that the system has no font for, as in the name
 * of a product. Declaring them takes a large style sheet; the files of the letters are fetched as needed.
 */
export function offerChinese(when: 'now' | 'when-missing'): void {
  if (when === 'now') {
    declareChinese();
    return;
  }
  if (isAwaited) return;
  isAwaited = true;
  // A file that the page has loaded already: the browser's wish to use it says that a letter is missing.
  const latin = new URL('./inter-latin-400-700.woff2', import.meta.url).href;
  const face = new FontFace(MISSING_CHINESE, `url(${latin})`, { unicodeRange: HAN });
  document.fonts.add(face);
  face.loaded.then(declareChinese);
}
