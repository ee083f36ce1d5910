/*
 * The events of the comparison and where each must arrive. Everything follows from an event's number, so that the processes need not
 * exchange it.
 */

/** Numbers of events and endpoints in a shape begin here, times the place of the shape. */
const NUMBERS_PER_SHAPE = 10_000_000;
const ENDPOINTS_PER_SHAPE = 100;
const DIGITS = 8;

const shape = (place, tenants, endpointsPerTenant) => ({
  firstNumber: place * NUMBERS_PER_SHAPE,
  firstEndpoint: place * ENDPOINTS_PER_SHAPE,
  tenants: Array.from({ length: tenants }, (_, i) => `peers-${place}-${i}`),
  endpointsPerTenant,
});

/** A tenant is what Lotward calls an organization. */
export const shapes = {
  one: shape(0, 1, 1),
  fanOut: shape(1, 5, 5),
  waiting: shape(2, 5, 1),
};

export const tenantPlaceOf = ({ tenants }, number) => number % tenants.length;
export const digitsOf = (number) => String(number).padStart(DIGITS, '0');
export const orderIdOf = (number) => `ord_peers_${digitsOf(number)}`;
/** The same in SQL, because tens of thousands are prepared; `number` is an expression. */
export const orderIdSql = (number) => `'ord_peers_' || lpad((${number})::text, ${DIGITS}, '0')`;
/** Finds the number in the body of a push, of either side. */
export const ORDER_ID = new RegExp(`ord_peers_(\\d{${DIGITS}})`);

const pathOf = (endpoint) => `/hook/${endpoint}`;
export const ENDPOINT_PATH = /^POST \/hook\/(\d+) /;

export const endpointsOf = ({ firstEndpoint, endpointsPerTenant }, tenantPlace) =>
  Array.from({ length: endpointsPerTenant }, (_, i) => firstEndpoint + tenantPlace * endpointsPerTenant + i);

export const urlsOf = (of, tenantPlace, port) =>
  endpointsOf(of, tenantPlace).map((endpoint) => `http://127.0.0.1:${port}${pathOf(endpoint)}`);
