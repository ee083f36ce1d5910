import { readCsv } from '@lotward/client/csv';
import { expect, it } from 'vitest';
import type { NonconformityRecord } from './nonconformity.js';
import { dispositionList, nonconformityList } from './quality-lists.js';

const entry = {
  ncId: 'nc_1',
  source: { kind: 'receipt', id: null, no: 'GR-1', line: 1 },
  status: 'open',
  createdAt: new Date('2026-11-15T10:00:00Z'),
  closedAt: null,
  serials: [],
  dispositionIds: [],
} as unknown as NonconformityRecord;

it('a file in Chinese has the same columns under Chinese names, each once, and its states in Chinese', () => {
  for (const list of [nonconformityList, dispositionList]) {
    const [head, chinese] = [list([]), list([], 'zh-CN')].map((file) => readCsv(file)[0]?.cells ?? []);
    expect(new Set(chinese).size).toBe(head?.length);
    expect(chinese?.every((name) => /^\p{Script=Han}+$/u.test(name))).toBe(true);
  }
  const cells = (file: string) => readCsv(file)[1]?.cells;
  expect(cells(nonconformityList([entry]))).toEqual(expect.arrayContaining(['receipt', 'open']));
  expect(cells(nonconformityList([entry], 'zh-CN'))).toEqual(
    expect.arrayContaining(['验收不合格', '待处置']),
  );
});
