import { useResource } from '../../app/api.js';
import { useMay } from '../../app/session.js';

/** A supplier, customer or manufacturer by name; by code for people who may not read partners. */
export function PartnerText({ code }: { code: string }) {
  const may = useMay();
  return (
    useResource('/v2/partners/{code}', { path: { code }, enabled: may('products:read') }).data?.name ?? code
  );
}
