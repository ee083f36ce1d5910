import { accessReasons } from '../access/index.js';
import { auditReasons } from '../audit/index.js';
import { catalogueReasons, udiReasons } from '../catalogue/index.js';
import { certificateReasons } from '../certificates/index.js';
import { credentialReasons } from '../credentials/index.js';
import { dispatchReasons } from '../dispatching/index.js';
import { environmentReasons } from '../environment/index.js';
import { eventReasons } from '../events/index.js';
import { importReasons } from '../imports/index.js';
import { labelReasons } from '../labels/index.js';
import { orderReasons } from '../orders/index.js';
import { organizationReasons } from '../organizations/index.js';
import { peopleReasons } from '../people/index.js';
import { commonReasons, type Reasons, unavailableReasons } from '../platform/errors/index.js';
import { requestReasons } from '../platform/http/index.js';
import { qualityReasons } from '../quality/index.js';
import { recallReasons } from '../recalls/index.js';
import { receiptReasons } from '../receiving/index.js';
import { sandboxReasons } from '../sandboxes/index.js';
import { stockReasons } from '../stock/index.js';
import { webhookReasons } from '../webhooks/index.js';

/** Every reason a failure can carry, by where it comes from: the error guide is generated from this. */
export const allReasons: Readonly<Record<string, Reasons>> = {
  'Any request': requestReasons,
  References: commonReasons,
  'Temporarily unavailable': unavailableReasons,
  Organizations: organizationReasons,
  Access: accessReasons,
  People: peopleReasons,
  Credentials: credentialReasons,
  Catalogue: catalogueReasons,
  'UDI codes': udiReasons,
  Stock: stockReasons,
  Receipts: receiptReasons,
  Orders: orderReasons,
  Dispatches: dispatchReasons,
  Quality: qualityReasons,
  Recalls: recallReasons,
  Labels: labelReasons,
  Certificates: certificateReasons,
  Imports: importReasons,
  Environment: environmentReasons,
  Events: eventReasons,
  Webhooks: webhookReasons,
  Audit: auditReasons,
  Sandboxes: sandboxReasons,
};

const remedies: ReadonlyMap<string, string> = new Map(
  Object.values(allReasons).flatMap((reasons) =>
    Object.entries(reasons).map(([reason, { remedy }]) => [reason, remedy] as const),
  ),
);

const UNEXPLAINED =
  'Send the request again, with the same `Idempotency-Key`. If it keeps failing, give the `requestId` to the operator.';

/** The remedy for failures with this reason, or for one without any. */
export const remedyOf = (reason: string | null): string => remedies.get(reason ?? '') ?? UNEXPLAINED;
