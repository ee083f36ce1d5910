import { describePages } from '../harness/look-at-pages.js';

describePages('system');
