import { useEffect, useState } from 'react';

/** The token after `#` in a mailed link, which browsers never send. It is removed from the address bar. */
export function useLinkToken(): string | null {
  const [token] = useState(() => decodeURIComponent(location.hash.slice(1)) || null);
  // Not during rendering, which may happen more than once before anything is shown.
  useEffect(() => {
    if (location.hash) history.replaceState(history.state, '', location.pathname);
  }, []);
  return token;
}
