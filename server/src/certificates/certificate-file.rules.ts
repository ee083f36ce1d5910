import { refuseCertificate } from './certificate.errors.js';
import { FILE_TYPES, type FileType } from './certificate-file.js';

const MAGIC: Readonly<Record<FileType, readonly number[]>> = {
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
};

/** The type that the content itself shows; null for any other. */
export const typeOfContent = (content: Uint8Array): FileType | null =>
  FILE_TYPES.find((type) => MAGIC[type].every((byte, at) => content[at] === byte)) ?? null;

/** Refuses content that is not of the declared type: browsers and virus scanners must see the same type. */
export function requireDeclaredType(declared: string, content: Uint8Array): FileType {
  const found = typeOfContent(content);
  if (found === null) throw refuseCertificate('file_type_unsupported', null);
  if (found !== declared)
    throw refuseCertificate('file_type_mismatch', 'Content-Type', `the content is ${found}`);
  return found;
}

const EXTENSIONS: Readonly<Record<FileType, readonly [usual: string, ...others: string[]]>> = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
};
const STEM_MAX = 100;
/** Control characters, direction and invisible marks, and lone surrogates. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
/** Characters with a meaning in paths, headers or shells of common systems. */
const UNSAFE = /[<>:"|?*;%`$]/g;
/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A name that is safe to save and to show: without folders, with the extension of its type. */
export function safeFileName(given: string | undefined, type: FileType, fallback: string): string {
  const [usual, ...others] = EXTENSIONS[type];
  const last = (given ?? '').normalize('NFC').replace(UNSEEN, '').split(/[/\\]/).at(-1) ?? '';
  const clean = last.replace(UNSAFE, '_').replace(/\s+/g, ' ').trim();
  const own = [usual, ...others].find((each) => clean.toLowerCase().endsWith(each));
  const named = own === undefined ? clean.replace(/\.[A-Za-z0-9]{1,5}$/, '') : clean.slice(0, -own.length);
  const stem = [...named.replace(/^[.\s]+|[.\s]+$/g, '')].slice(0, STEM_MAX).join('').trim();
  const kept = stem === '' || /^_+$/.test(stem) ? fallback : stem;
  return `${DEVICE.test(kept) ? `_${kept}` : kept}${own ?? usual}`;
}
