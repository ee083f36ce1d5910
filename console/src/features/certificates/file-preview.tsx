import { Button, Group, Image, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download, ExternalLink } from 'lucide-react';
import { useEffect, useState } from 'react';
import { readFile } from '../../app/files.js';
import { useWords } from '../../app/language.js';
import { Problem } from '../../ui/problem.js';
import styles from './file.module.css';
import { filePath, type StoredFile } from './file-types.js';
import { fileWords } from './file-words.js';

const PDF = 'application/pdf';

/** The file as the page shows it, with buttons to open and save it. */
export function FilePreview({ certificateId, file }: { certificateId: string; file: StoredFile }) {
  const words = useWords(fileWords);
  const path = filePath(certificateId);
  const isPdf = file.contentType === PDF;
  const pdf = usePdf(path, isPdf ? file.sha256 : null);
  const label = words.preview(file.fileName);
  return (
    <Stack gap="sm">
      {isPdf && pdf.url && navigator.pdfViewerEnabled && (
        <iframe className={styles.pdf} src={pdf.url} title={label} />
      )}
      {/* The URL changes with the content, because the browser would otherwise show the replaced image. */}
      {!isPdf && <Image className={styles.image} src={`${path}#${file.sha256}`} alt={label} fit="contain" />}
      {pdf.query.isError && <Problem error={pdf.query.error} onRetry={() => pdf.query.refetch()} />}
      <Group gap="xs">
        <Button
          component="a"
          {...(isPdf ? (pdf.url ? { href: pdf.url } : { disabled: true }) : { href: path })}
          target="_blank"
          rel="noreferrer"
          variant="default"
          leftSection={<ExternalLink size={16} />}
        >
          {words.open}
        </Button>
        <Button
          component="a"
          href={path}
          download={file.fileName}
          variant="default"
          leftSection={<Download size={16} />}
        >
          {words.download}
        </Button>
      </Group>
    </Stack>
  );
}

/**
 * Fetches a PDF and shows it from memory: the service sends files in a sandbox, in which browsers show no PDF. Its type is
 * fixed here, so that its bytes can never be interpreted as a page.
 */
function usePdf(path: string, sha256: string | null) {
  const query = useQuery({
    // Keyed by content rather than path, because a removed file must not be requested again. Content never changes.
    queryKey: ['file', path, sha256],
    queryFn: ({ signal }) => readFile(path, PDF, signal),
    enabled: sha256 !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!query.data) return;
    const made = URL.createObjectURL(query.data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [query.data]);
  return { query, url };
}
