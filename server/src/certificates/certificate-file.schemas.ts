import { Type } from 'typebox';
import { Instant, Model, OneOf } from '../platform/http/index.js';
import { type CertificateFile, FILE_BYTES_MAX, FILE_TYPES } from './certificate-file.js';

export const CertificateFileView = Model('CertificateFile', {
  fileName: Type.String(),
  contentType: OneOf(FILE_TYPES),
  size: Type.Integer({ minimum: 1, maximum: FILE_BYTES_MAX, description: 'In bytes.' }),
  sha256: Type.String({ description: '64 hexadecimal digits. Also the `ETag` of the file.' }),
  storedAt: Instant(),
  storedBy: Type.String(),
});

export const toCertificateFileView = (file: CertificateFile) => ({
  ...file,
  storedAt: file.storedAt.toISOString(),
});
