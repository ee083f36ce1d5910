import type { Coverage } from '../certificates/index.js';
import type { DemoProduct } from './products.rules.js';

/** Suppliers whose licence says what it covers. The licences of the others cover everything. */
const RESTRICTED = ['SUP-CORVA', 'SUP-ELMIRA', 'SUP-HELIOS'];

const RISK_CLASSES = ['I', 'II', 'III'] as const;

/** The coverage that fits what a supplier delivers: per risk class its categories, excluding kinds it does not deliver. */
export function coverageOf(supplierCode: string, products: readonly DemoProduct[]): Coverage | null {
  if (!RESTRICTED.includes(supplierCode)) return null;
  const delivered = products.filter(({ put }) => put.input.supplierCode === supplierCode);
  return RISK_CLASSES.flatMap((riskClass) => {
    const families = delivered.map(({ family }) => family).filter((family) => family.riskClass === riskClass);
    if (families.length === 0) return [];
    const excludes = [
      ...(families.some(({ implantable }) => implantable) ? [] : (['implantable'] as const)),
      ...(families.some(({ sterile }) => sterile) ? [] : (['sterile'] as const)),
      ...(families.some(({ cold }) => cold) ? [] : (['cold_chain'] as const)),
    ];
    const categories = [...new Set(families.map(({ category }) => category))];
    return [{ riskClasses: [riskClass], categories, ...(excludes.length > 0 && { excludes }) }];
  });
}
