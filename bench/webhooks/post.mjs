/*
 * The POST of both baselines: undici's pool, 50 requests at once, every body signed.
 */
import { Pool } from 'undici';
import { MOST_ENDPOINTS, oneAddress, ownAddress, pathOf, secretOf, signatureOf } from './records.mjs';

export const AT_ONCE = 50;
const everyEndpoint = Array.from({ length: MOST_ENDPOINTS }, (_, endpoint) => endpoint);

/** One pool if all endpoints share an address, else one pool per endpoint. */
export function openPosts(port, spread) {
  const open = (address) => new Pool(`http://${address}:${port}`, { connections: AT_ONCE });
  const one = spread ? null : open(oneAddress());
  const pools = everyEndpoint.map((endpoint) => one ?? open(ownAddress(endpoint)));
  const secrets = everyEndpoint.map(secretOf);
  return async (endpoint, body) => {
    const { statusCode, body: answer } = await pools[endpoint].request({
      path: pathOf(endpoint),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-lotward-signature': signatureOf(secrets[endpoint], body),
      },
      body,
    });
    await answer.dump();
    if (statusCode !== 200) throw new Error(`answered with ${statusCode}`);
  };
}
