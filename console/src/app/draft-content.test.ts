import { describe, expect, it } from 'vitest';
import { contentOf, mergeEntries } from './draft-content.js';

describe('a draft of a record that somebody else has changed since', () => {
  const before = { version: 1, name: 'Acme', phone: '1', addresses: [{ key: 'a', city: 'Bern' }] };
  const now = { version: 2, name: 'Acme AG', phone: '1', addresses: [{ key: 'b', city: 'Bern' }] };

  it('keeps what was entered, and takes the rest from the record as it is now', () => {
    const entered = { ...before, phone: '22' };
    expect(mergeEntries(entered, contentOf(before), now)).toEqual({ ...now, phone: '22' });
  });
});
