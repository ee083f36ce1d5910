import { describe, expect, it } from 'vitest';
import { ScanHandlers } from './scan-handlers.js';

function set(isCovered = false) {
  const seen: string[] = [];
  const errors: unknown[] = [];
  const handlers = new ScanHandlers(
    () => isCovered,
    (error) => errors.push(error),
  );
  const unhandled = {
    onUnused: (code: string) => void seen.push(`unused ${code}`),
    onCovered: (code: string) => void seen.push(`covered ${code}`),
  };
  return { seen, errors, handlers, scan: (code: string) => handlers.dispatch(code, unhandled) };
}

describe('a scanned code', () => {
  it('goes to the part of the page that was shown last, and to the one before once that is gone', async () => {
    const { seen, handlers, scan } = set();
    handlers.add({ current: (code) => void seen.push(`page ${code}`) });
    const remove = handlers.add({ current: (code) => void seen.push(`panel ${code}`) });
    await scan('1');
    remove();
    await scan('2');
    expect(seen).toEqual(['panel 1', 'page 2']);
  });

  it('is handled after those before it, however long they take', async () => {
    const { seen, handlers, scan } = set();
    const release: (() => void)[] = [];
    handlers.add({
      async current(code) {
        seen.push(`begin ${code}`);
        if (code === 'slow') await new Promise<void>((resolve) => release.push(resolve));
        seen.push(`end ${code}`);
      },
    });
    const first = scan('slow');
    const second = scan('quick');
    await Promise.resolve().then(() => {});
    expect(seen).toEqual(['begin slow']);
    release[0]?.();
    await Promise.all([first, second]);
    expect(seen).toEqual(['begin slow', 'end slow', 'begin quick', 'end quick']);
  });

  it('is still handled when the one before it failed, and the failure is reported', async () => {
    const { seen, errors, handlers, scan } = set();
    handlers.add({
      current(code) {
        if (code === 'bad') throw new Error('unreadable');
        seen.push(code);
      },
    });
    await scan('bad');
    await scan('good');
    expect(errors).toMatchObject([{ message: 'unreadable' }]);
    expect(seen).toEqual(['good']);
  });

  it('is dropped when the page it was scanned for is gone before its turn', async () => {
    const { seen, handlers, scan } = set();
    const remove = handlers.add({ current: (code) => void seen.push(code) });
    const scanned = scan('1');
    remove();
    await scanned;
    expect(seen).toEqual([]);
  });

  it('is reported where no part of the page uses codes, or a window covers it', async () => {
    const free = set();
    await free.scan('1');
    expect(free.seen).toEqual(['unused 1']);
    const covered = set(true);
    covered.handlers.add({ current: (code) => void covered.seen.push(code) });
    await covered.scan('2');
    expect(covered.seen).toEqual(['covered 2']);
  });
});
