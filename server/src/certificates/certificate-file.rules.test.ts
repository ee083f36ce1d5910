import { describe, expect, it } from 'vitest';
import { requireDeclaredType, safeFileName, typeOfContent } from './certificate-file.rules.js';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const PDF = bytes('%PDF-1.7\n');
const PNG = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR');
const JPEG = bytes('\xff\xd8\xff\xe0\0\x10JFIF');

describe('the type of a file is what its content shows', () => {
  it.each([
    [PDF, 'application/pdf'],
    [PNG, 'image/png'],
    [JPEG, 'image/jpeg'],
    [bytes('<svg xmlns="http://www.w3.org/2000/svg">'), null],
    [bytes('<!doctype html><!-- %PDF-1.7 -->'), null],
    [bytes(' %PDF-1.7'), null],
    [bytes('\x89PNG'), null],
    [bytes('GIF89a'), null],
    [bytes('PK\x03\x04'), null],
    [bytes(''), null],
  ])('%j', (content, type) => expect(typeOfContent(content)).toBe(type));

  it('and content of another type than declared is refused', () => {
    expect(requireDeclaredType('image/png', PNG)).toBe('image/png');
    expect(() => requireDeclaredType('application/pdf', PNG)).toThrow('the content is image/png');
    expect(() => requireDeclaredType('application/pdf', bytes('MZ'))).toThrow('not a PDF, PNG or JPEG');
  });
});

describe('a file name is safe to save and to show', () => {
  it.each([
    ['licence.pdf', 'licence.pdf'],
    ['医疗器械经营许可证 2026.pdf', '医疗器械经营许可证 2026.pdf'],
    ['Lizenz.PDF', 'Lizenz.pdf'],
    ['../../etc/passwd', 'passwd.pdf'],
    ['D:\\scans\\scan.pdf', 'scan.pdf'],
    ['scan.exe', 'scan.pdf'],
    ['a\r\nset-cookie: b.pdf', 'aset-cookie_ b.pdf'],
    ['licence\u202Efdp.exe', 'licencefdp.pdf'],
    ['"quoted" <b>;%0a.pdf', '_quoted_ _b___0a.pdf'],
    ['.htaccess', 'htaccess.pdf'],
    ['nul.pdf', '_nul.pdf'],
    ['COM1', '_COM1.pdf'],
    ['  spaces   within .pdf', 'spaces within.pdf'],
    ['...', 'crt_1.pdf'],
    ['\u0000', 'crt_1.pdf'],
    ['???', 'crt_1.pdf'],
    [undefined, 'crt_1.pdf'],
    [`${'名'.repeat(300)}.pdf`, `${'名'.repeat(100)}.pdf`],
    [`${'😀'.repeat(101)}.pdf`, `${'😀'.repeat(100)}.pdf`],
    ['Cafe\u0301.pdf', 'Café.pdf'],
  ])('%j becomes %j', (given, name) => expect(safeFileName(given, 'application/pdf', 'crt_1')).toBe(name));

  it('with an extension of its type, of which a photograph has two', () => {
    expect(safeFileName('scan.jpeg', 'image/jpeg', 'x')).toBe('scan.jpeg');
    expect(safeFileName('scan.JPG', 'image/jpeg', 'x')).toBe('scan.jpg');
    expect(safeFileName('scan.pdf', 'image/jpeg', 'x')).toBe('scan.jpg');
    expect(safeFileName('v1.2', 'image/png', 'x')).toBe('v1.png');
  });
});
