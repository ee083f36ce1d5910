import type { PartnerToPut } from '../catalogue/index.js';
import { MAKERS } from './families.rules.js';
import type { Say } from './language.rules.js';

const SUPPLIERS = [
  ['SUP-ALDER', 'Alder Medical Distribution', 'Rotterdam'],
  ['SUP-BRIDGE', 'Bridgewell Healthcare Supply', 'Leeds'],
  ['SUP-CORVA', 'Corva Implants', 'Basel'],
  ['SUP-DELTA', 'Deltamed Logistics', 'Hamburg'],
  ['SUP-ELMIRA', 'Elmira Diagnostics Trading', 'Lyon'],
  ['SUP-FJORD', 'Fjordline Surgical', 'Bergen'],
  ['SUP-GRANTA', 'Granta Infusion Care', 'Cambridge'],
  ['SUP-HELIOS', 'Heliotrope Optical', 'Valencia'],
] as const;

const CUSTOMERS = [
  ['HOSP-001', 'St. Brannoc General Hospital', 'Northgate'],
  ['HOSP-002', 'Lakeside University Hospital', 'Lakeside'],
  ['HOSP-003', 'Mercy Hill Medical Centre', 'Mercy Hill'],
  ['HOSP-004', 'Riverbend Heart Institute', 'Riverbend'],
  ['HOSP-005', 'Northgate Children’s Hospital', 'Northgate'],
  ['HOSP-006', 'Oakfield Orthopaedic Clinic', 'Oakfield'],
  ['HOSP-007', 'Harbour View Hospital', 'Port Alwyn'],
  ['HOSP-008', 'Westmoor District Hospital', 'Westmoor'],
  ['HOSP-009', 'Clearwater Eye Clinic', 'Clearwater'],
  ['HOSP-010', 'Eastvale Regional Hospital', 'Eastvale'],
  ['HOSP-011', 'Summit Day Surgery', 'Highfield'],
  ['HOSP-012', 'Willowbrook Rehabilitation Centre', 'Willowbrook'],
] as const;

export const CUSTOMER_CODES: readonly [string, ...string[]] = [
  'HOSP-001',
  ...CUSTOMERS.slice(1).map(([code]) => code),
];
export const SUPPLIER_CODES = SUPPLIERS.map(([code]) => code);

/** The product of the greeting's example call: a stent with several batches in one warehouse. */
export const FEATURED_PRODUCT = '06901234567892';
export const FEATURED_WAREHOUSE = 'WH-EAST';

export interface Place {
  code: string;
  name: string;
}

export const WAREHOUSES: readonly [Place, ...Place[]] = [
  { code: FEATURED_WAREHOUSE, name: 'Eastern distribution centre' },
  { code: 'WH-WEST', name: 'Western distribution centre' },
  { code: 'WH-NORTH', name: 'Northern depot' },
];

export const ZONES: readonly Place[] = [
  { code: 'AMBIENT', name: 'Ambient 15–25 °C' },
  { code: 'COLD', name: 'Cold room 2–8 °C' },
  { code: 'QUARANTINE', name: 'Quarantine' },
];

export function demoPartners(say: Say): PartnerToPut[] {
  return [
    ...SUPPLIERS.map(([code, name, town]) => partner(code, say(name), 'supplier', say(town))),
    ...CUSTOMERS.map(([code, name, town]) => partner(code, say(name), 'customer', say(town))),
    ...Object.entries(MAKERS).map(([letter, name]) =>
      partner(`MFR-${letter}`, say(name), 'manufacturer', null),
    ),
  ];
}

function partner(
  code: string,
  name: string,
  role: PartnerToPut['roles'][number],
  town: string | null,
): PartnerToPut {
  const email = `${code.toLowerCase()}@partners.demo.example`;
  return { code, name, roles: [role], contact: { email, ...(town === null ? {} : { address: town }) } };
}
