import { useEffect, useRef, useState } from 'react';
import { useSession } from './session.js';

/** Of another shape than this, what was stored by an earlier version is left alone. */
const PREFIX = 'lotward.draft.1';
/** Goods that were scanned last week are no longer where they were. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

interface Stored<T> {
  savedAt: number;
  /** What the document was when the draft was made. */
  basis: string;
  value: T;
}

/** What a person has entered and not saved yet. */
export interface Draft<T> {
  value: T;
  /** The newest value, also before the page has been drawn with it. */
  read(): T;
  set(change: (before: T) => T): void;
  /** When what is shown was stored, if it was entered on an earlier visit. */
  restoredFrom: number | null;
  /** Begins anew. */
  discard(): void;
  /** Forgets what is stored, since it is saved now. What is shown stays, or is replaced. */
  finish(next?: T): void;
}

/** Rows carry a key of their own, which says nothing about what was entered. */
const contentOf = (value: unknown): string =>
  JSON.stringify(value, (name, part) => (name === 'key' ? undefined : part));

function load<T>(place: string): Stored<T> | null {
  try {
    const stored = JSON.parse(localStorage.getItem(place) ?? 'null') as Stored<T> | null;
    return stored !== null && Date.now() - stored.savedAt < KEPT_MS ? stored : null;
  } catch {
    return null;
  }
}

/** Drafts of documents nobody comes back to, of whomever they are, do not stay for ever. */
function removeExpired(): void {
  for (const place of Object.keys(localStorage))
    if (place.startsWith('lotward.draft.') && load(place) === null) store(place, null);
}

function store<T>(place: string, stored: Stored<T> | null): void {
  try {
    if (stored === null) localStorage.removeItem(place);
    else localStorage.setItem(place, JSON.stringify(stored));
  } catch {
    // Without room, or where a browser allows no storage, work goes on as if there were no drafts.
  }
}

/**
 * Keeps what is entered into a document until it is saved: by organization, person and document, across leaving the
 * page, reloading it and signing in again. `rebase` fits a draft to a document that has changed since.
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
  rebase?: (stored: T) => T;
}): Draft<T> {
  const { organization, user } = useSession();
  const place = `${PREFIX}:${organization.code}:${user.userId}:${document}`;
  const begin = () => {
    removeExpired();
    const stored = load<T>(place);
    if (stored === null) return { value: initial(), restoredFrom: null };
    const value = stored.basis === basis || !rebase ? stored.value : rebase(stored.value);
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
      show(value, state.restoredFrom);
    },
    discard() {
      store(place, null);
      show(initial(), null);
    },
    finish(next) {
      store(place, null);
      show(next ?? latest.current, null);
    },
  };
}
