export { type CsvLanguage, CsvLanguageFilter, headOf, termOf } from './csv-language.js';
export { StaticDocument } from './encoded-answers.js';
export { etagOf, isKnown } from './entity-tag.js';
export { toApiError } from './failure.js';
export { purgeIdempotencyKeys, sealedAnswers } from './idempotency.js';
export { invalid, parseJsonBody } from './json-body.js';
export { listRoute } from './list-route.js';
export { decodeCursor, encodeCursor, type Page, toPage } from './page.js';
export { putAndPatchRoutes } from './put-and-patch.js';
export { requestReasons } from './reasons.js';
export {
  type Admission,
  type Authenticator,
  type CallHeaders,
  forbidden,
  registerRoutes,
  requireStepUp,
} from './register.js';
export { requireClearHeaders } from './request-headers.js';
export { callerRequestId } from './request-id.js';
export { decoded, literalParameter, parametersOf, restOfPath } from './request-target.js';
export {
  type AuthCall,
  authRoute,
  type Call,
  callerOf,
  fileRoute,
  isOpen,
  keptFileRoute,
  type Route,
  readRoute,
  sharedWriteRoute,
  streamRoute,
  uploadRoute,
  writeRoute,
} from './route.js';
export type { CredentialBinding } from './route-schema.js';
export * from './schema.js';
export { OverlapSeconds, ShownOnce } from './secret-schema.js';
export { createServer } from './server.js';
export { SlowRefusals } from './slow-refusals.js';
export { isStream } from './streams.js';
export { compile } from './validation.js';
