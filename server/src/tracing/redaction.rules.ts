import type { ChainItem, Holder, Party } from './trace.js';

/** A customer-bound credential sees every step, but parties, documents and actors only of steps with its own customer. */

function partyFor<P extends Party>(party: P, customerCode: string): P {
  if (party.kind === 'customer' && party.code === customerCode) return party;
  return { ...party, code: party.kind === 'warehouse' ? party.code : null, name: null };
}

const isWith = (party: Party | null, customerCode: string): boolean =>
  party?.kind === 'customer' && party.code === customerCode;

export const holdersFor = (holders: readonly Holder[], customerCode: string): Holder[] =>
  holders.map((holder) => partyFor(holder, customerCode));

export function itemFor(item: ChainItem, customerCode: string): ChainItem {
  const own = isWith(item.from, customerCode) || isWith(item.to, customerCode);
  return {
    ...item,
    from: item.from && partyFor(item.from, customerCode),
    to: item.to && partyFor(item.to, customerCode),
    document: own ? item.document : null,
    actor: own ? item.actor : null,
  };
}
