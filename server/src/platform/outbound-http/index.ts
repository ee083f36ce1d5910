export { type AddressPolicy, addressPolicy } from './address-policy.js';
export type { Attempt } from './attempt.js';
export {
  type CallbackRefusal,
  judgeCallbackUrl,
  lookUpCallbackHost,
} from './callback-url.js';
export type { LookUp } from './look-up.js';
export { openNameResolver } from './name-resolver.js';
export { openSender, type Sender } from './sender.js';
