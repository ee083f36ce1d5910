import { useEffect, useRef, useState } from 'react';
import { contentOf } from './draft-content.js';
import { useSession } from './session.js';

/** The version of the stored shape; drafts of another version are ignored. */
const PREFIX = 'lotward.draft.1';
/** Goods scanned a week ago are no longer where they were. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

interface Stored<T> {
  savedAt: number;
  /** The state of the document when the draft was made. */
  basis: string;
  value: T;
}

/** Unsaved entries of a person. */
export interface Draft<T> {
  value: T;
  /** The newest value, even before the page is rendered with it. */
  read(): T;
  set(change: (before: T) => T): void;
  /** When the draft was stored, if it is from an earlier visit. */
  restoredFrom: number | null;
  /** Removes the draft; returns the empty document. */
  discard(): T;
  /** Removes the stored draft after it is saved. The displayed value stays, or is replaced. */
  finish(next?: T): void;
}

const placeOf = (organizationCode: string, userId: string): string =>
  `${PREFIX}:${organizationCode}:${userId}:`;

/** Removes the drafts of a person who signs out, because the next person at this screen must not find them. */
export function removeDraftsOf(organizationCode: string, userId: string): void {
  for (const place of Object.keys(localStorage))
    if (place.startsWith(placeOf(organizationCode, userId))) store(place, null);
}

function load<T>(place: string): Stored<T> | null {
  try {
    const stored = JSON.parse(localStorage.getItem(place) ?? 'null') as Stored<T> | null;
    return stored !== null && Date.now() - stored.savedAt < KEPT_MS ? stored : null;
  } catch {
    return null;
  }
}

/** Removes drafts that were abandoned, of any person. */
function removeExpired(): void {
  for (const place of Object.keys(localStorage))
    if (place.startsWith('lotward.draft.') && load(place) === null) store(place, null);
}

function store<T>(place: string, stored: Stored<T> | null): void {
  try {
    if (stored === null) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(stored));
  } catch {
    // If storage is full or not permitted, the page works as if there were no drafts.
  }
}

/**
 * Keeps the entries of a document until it is saved: by organization, person and document, through leaving the page,
 * reloading it and an expired session. `rebase` adapts a draft to a document that has changed since.
 */
export function useDraft<T>({
  document,
  initial,
  basis = '',
  rebase,
}: {
  document: string;
  initial: () => T;
  basis?: string;
  rebase?: (stored: T, basis: string) => T;
}): Draft<T> {
  const { organization, user } = useSession();
  const place = `${placeOf(organization.code, user.userId)}${document}`;
  const begin = () => {
    removeExpired();
    const stored = load<T>(place);
    if (stored === null) return { value: initial(), restoredFrom: null };
    const value = stored.basis === basis || !rebase ? stored.value : rebase(stored.value, stored.basis);
    const isSame = contentOf(value) === contentOf(initial());
    return { value, restoredFrom: isSame ? null : stored.savedAt };
  };
  const [state, setState] = useState(begin);
  const latest = useRef(state.value);
  const basisNow = useRef(basis);
  useEffect(() => {
    basisNow.current = basis;
  }, [basis]);
  const show = (value: T, restoredFrom: number | null) => {
    latest.current = value;
    setState({ value, restoredFrom });
  };
  return {
    ...state,
    read: () => latest.current,
    set(change) {
      const value = change(latest.current);
      const isEmpty = contentOf(value) === contentOf(initial());
      store(place, isEmpty ? null : { savedAt: Date.now(), basis: basisNow.current, value });
      latest.current = value;
      setState((before) => ({ value, restoredFrom: before.restoredFrom }));
    },
    discard() {
      store(place, null);
      const value = initial();
      show(value, null);
      return value;
    },
    finish(next) {
      store(place, null);
      show(next ?? latest.current, null);
    },
  };
}
