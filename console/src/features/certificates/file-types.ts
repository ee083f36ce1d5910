import type { Data } from '@lotward/client';

export type CertificateDetail = Data<'/v2/certificates/{certificateId}', 'get'>;
export type StoredFile = NonNullable<CertificateDetail['file']>;

/** The service judges by the content; the browser takes the type from the name. */
export const FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg'];
const FILE_BYTES_MAX = 10 * 1024 * 1024;

export function fileFault(file: Pick<File, 'type' | 'size'>): 'wrongType' | 'tooLarge' | null {
  if (!FILE_TYPES.includes(file.type)) return 'wrongType';
  return file.size > FILE_BYTES_MAX ? 'tooLarge' : null;
}

export const filePath = (certificateId: string): string =>
  `/files/certificates/${encodeURIComponent(certificateId)}`;

/** `640 KB`, `2.3 MB`, in the language of the page. */
export function sizeText(bytes: number, language: string): string {
  const [unit, size] =
    bytes < 1_000_000 ? (['kilobyte', 1_000] as const) : (['megabyte', 1_000_000] as const);
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    maximumFractionDigits: 1,
  }).format(Math.max(1, Math.round((bytes / size) * 10)) / 10);
}
