import { expect } from 'vitest';
import type { openTestService } from './api.js';

/** A sandbox, and calls with its key that must succeed. */
export interface TestSandbox {
  sandboxId: string;
  code: string;
  keyId: string;
  apiKey: string;
  copied: { partners: number; warehouses: number; products: number; certificates: number };
  must<D>(method: string, path: string, body?: object): Promise<D>;
}

export async function newSandbox(
  { call }: Pick<Awaited<ReturnType<typeof openTestService>>, 'call'>,
  key?: string,
  body: object = { name: 'tests', data: 'empty' },
): Promise<TestSandbox> {
  const { data, status, text } = await call<Omit<TestSandbox, 'must'>>('POST', '/v2/sandboxes', body, key);
  expect(status, text).toBe(200);
  return {
    ...data,
    async must<D>(method: string, path: string, given?: object): Promise<D> {
      const answer = await call<D>(method, path, given, data.apiKey);
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
      return answer.data;
    },
  };
}
