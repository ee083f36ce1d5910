export { FairBuffer } from './fair-buffer.js';
