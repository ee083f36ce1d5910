export { DEMO_LANGUAGES, type DemoLanguage } from './language.rules.js';
export {
  type Demo,
  demoOrganizationId,
  demoPeople,
  demoState,
  loadDemo,
  loadDemoCatalogue,
} from './load-demo.js';
export { FEATURED_PRODUCT, FEATURED_WAREHOUSE } from './partners.rules.js';
export { simulateStep } from './simulate.js';
export { FEATURED_BATCH } from './traced.rules.js';
