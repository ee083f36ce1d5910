import { Alert, Stack, Text } from '@mantine/core';
import { useFormat } from '../../app/format.js';
import { useLanguage, useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { CopyText } from '../../ui/copy.js';
import { Facts, Panel } from '../../ui/page.js';
import { usePersonName } from '../../ui/person.js';
import { FilePreview } from './file-preview.js';
import { type CertificateDetail, type StoredFile, sizeText } from './file-types.js';
import { fileWords } from './file-words.js';
import { isSameFingerprint } from './fingerprint.js';
import { UploadArea } from './upload-area.js';

/** The scanned certificate, with ways to choose or drop another file. */
export function FilePanel({ certificate }: { certificate: CertificateDetail }) {
  const words = useWords(fileWords);
  const may = useMay();
  const { file, status, certificateId, documentHash } = certificate;
  const isOver = status === 'revoked' || status === 'superseded';
  const canChange = may('certificates:write') && !isOver;
  return (
    <Panel title={words.file}>
      <Stack>
        {file && <FileFacts file={file} />}
        {file && documentHash && !isSameFingerprint(file.sha256, documentHash) && (
          <Alert color="orange">{words.differs}</Alert>
        )}
        {file && <FilePreview certificateId={certificateId} file={file} />}
        {!file && !canChange && (
          <Text size="sm" c="dimmed">
            {words.none}
          </Text>
        )}
        {canChange && <UploadArea certificateId={certificateId} stored={file} />}
      </Stack>
    </Panel>
  );
}

function FileFacts({ file }: { file: StoredFile }) {
  const words = useWords(fileWords);
  const { language } = useLanguage();
  const format = useFormat();
  const personName = usePersonName();
  return (
    <Facts
      facts={[
        [words.name, file.fileName],
        [words.size, sizeText(file.size, language)],
        [words.stored, words.storedBy(personName(file.storedBy), format.instant(file.storedAt))],
        [words.fingerprint, <CopyText key="hash" text={`sha256:${file.sha256}`} label={words.fingerprint} />],
      ]}
    />
  );
}
