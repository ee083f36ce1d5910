import type { ReactNode } from 'react';
import { useResource } from '../../app/api.js';
import { useWords } from '../../app/language.js';
import { useParam } from '../../app/param.js';
import { Loaded } from '../../ui/page.js';
import { PrintPage } from '../../ui/print-sheet.js';
import { dispatchWords } from './dispatch-words.js';
import type { Dispatch } from './pick-draft.js';

/** The page of a document about one dispatch: its title, the way back, and the sheet. */
export function DispatchSheet({
  name,
  printLabel,
  above,
  children,
}: {
  /** The name of the document. */
  name: string;
  printLabel?: string;
  /** Shown above the sheet, not on paper. */
  above?: (dispatchId: string) => ReactNode;
  children: (dispatch: Dispatch) => ReactNode;
}) {
  const names = useWords(dispatchWords);
  const dispatchId = useParam('dispatchId');
  const query = useResource('/v2/dispatches/{dispatchId}', { path: { dispatchId } });
  return (
    <PrintPage
      title={query.data ? `${name} ${query.data.orderNo}` : name}
      above={{
        to: '/dispatches/$dispatchId',
        params: { dispatchId },
        name: query.data ? names.dispatchOf(query.data.orderNo) : names.dispatch,
      }}
      {...(printLabel === undefined ? {} : { printLabel })}
    >
      {above && <div className="no-print">{above(dispatchId)}</div>}
      <Loaded query={query} missing={{ title: names.notFound, to: '/dispatches' }}>
        {children}
      </Loaded>
    </PrintPage>
  );
}
