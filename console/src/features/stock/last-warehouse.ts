import { useSession } from '../../app/session.js';

const KEPT_AS = 'lotward.warehouse';

/** The warehouse whose stock the person last viewed in this browser. */
export function useLastWarehouse(): { last: string | null; keep: (code: string) => void } {
  const { organization, user } = useSession();
  const name = `${KEPT_AS} ${organization.code} ${user.userId}`;
  return {
    last: read(name),
    keep(code) {
      try {
        localStorage.setItem(name, code);
      } catch {
        // Without storage the page opens with the first warehouse.
      }
    },
  };
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
