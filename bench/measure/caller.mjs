/* Calls of the API by one key, where each has to succeed. */
import { Agent, request } from 'undici';

/** `clients`: how many calls can be under way at once. */
export function callerOf(port, key, clients) {
  const dispatcher = new Agent({ connections: clients });
  return async (method, path, body) => {
    const answer = await request(`http://127.0.0.1:${port}${path}`, {
      method,
      dispatcher,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return { ...JSON.parse(text).data, bytes: Buffer.byteLength(text) };
  };
}
