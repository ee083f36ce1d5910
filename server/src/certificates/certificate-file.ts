export const FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;
export type FileType = (typeof FILE_TYPES)[number];

export const FILE_BYTES_MAX = 10 * 1024 * 1024;

/** The scanned document of a certificate, without its content. */
export interface CertificateFile {
  fileName: string;
  contentType: FileType;
  size: number;
  /** In hexadecimal digits. */
  sha256: string;
  storedAt: Date;
  storedBy: string;
}
