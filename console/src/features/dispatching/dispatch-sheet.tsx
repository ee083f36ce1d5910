import type { ReactNode } from 'react';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { Empty } from '../../ui/empty.js';
import { Loaded } from '../../ui/page.js';
import { PrintPage } from '../../ui/print-sheet.js';
import { dispatchWords } from './dispatch-words.js';
import type { Dispatch } from './pick-draft.js';

/** The page of a document about one dispatch: its title, the way back, and the sheet. */
export function DispatchSheet({
  name,
  notIssued,
  children,
}: {
  /** The name of the document. */
  name: string;
  /** Shown instead of a document that exists only after the re-check has passed. */
  notIssued?: { title: string; hint: string };
  children: (dispatch: Dispatch) => ReactNode;
}) {
  const names = useWords(dispatchWords);
  const dispatchId = useParam('dispatchId');
  const query = useResource('/v2/dispatches/{dispatchId}', { path: { dispatchId } });
  const isMissing = notIssued !== undefined && query.data?.dispatchedAt === null;
  return (
    <PrintPage
      isPrinted={!isMissing}
      title={query.data ? `${name} ${query.data.dispatchNo}` : name}
      above={{
        to: '/dispatches/$dispatchId',
        params: { dispatchId },
        name: query.data ? names.dispatchOf(query.data.dispatchNo) : names.dispatch,
      }}
    >
      <Loaded query={query} missing={{ title: names.notFound, to: '/dispatches' }}>
        {(dispatch) => (isMissing ? <Empty {...notIssued} /> : children(dispatch))}
      </Loaded>
    </PrintPage>
  );
}
