import { Upload } from 'lucide-react';
import { useWords } from '../../app/language.js';
import { useMay } from '../../app/session.js';
import { ButtonLink } from '../../ui/links.js';
import { importWords } from './import-words.js';

/** Links to the import of a file, for people with the write scope. */
export function ImportLink({ to }: { to: '/products/import' | '/partners/import' }) {
  const words = useWords(importWords);
  const may = useMay();
  if (!may('products:write')) return null;
  return (
    <ButtonLink to={to} variant="default" leftSection={<Upload size={16} />}>
      {words.importFile}
    </ButtonLink>
  );
}
