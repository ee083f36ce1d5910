import { canonicalCode, isGtin } from '@lotward/udi';
import { refuseCatalogue } from './catalogue.errors.js';
import type { Product, ProductInput } from './product.js';

const NEAR_EXPIRY_DAYS_DEFAULT = 180;

/** Builds a whole product from the input. A PUT replaces, so omitted fields get their defaults. */
export function describeProduct(
  productCode: string,
  input: ProductInput,
  known: { id: string; version: number; at: Date },
): Product {
  const product: Product = {
    id: known.id,
    productCode,
    productName: input.productName,
    specification: input.specification ?? null,
    model: input.model ?? null,
    manufacturer: input.manufacturer ?? null,
    category: input.category ?? null,
    riskClass: input.riskClass ?? null,
    udiDi: input.udiDi ? canonicalCode(input.udiDi) : isGtin(productCode) ? productCode : null,
    packaging: (input.packaging ?? []).map((level) => ({ ...level, udiDi: canonicalCode(level.udiDi) })),
    registrationNo: input.registrationNo ?? null,
    unit: input.unit ?? null,
    storage: {
      temperatureMin: input.storage?.temperatureMin ?? null,
      temperatureMax: input.storage?.temperatureMax ?? null,
      humidityMin: input.storage?.humidityMin ?? null,
      humidityMax: input.storage?.humidityMax ?? null,
    },
    sterile: input.sterile ?? false,
    implantable: input.implantable ?? false,
    tracking: input.tracking ?? 'batch',
    shelfLifeDays: input.shelfLifeDays ?? null,
    safetyStock: input.safetyStock ?? 0,
    nearExpiryDays: input.nearExpiryDays ?? NEAR_EXPIRY_DAYS_DEFAULT,
    supplierCode: input.supplierCode ?? null,
    status: input.status ?? 'active',
    version: known.version,
    updatedAt: known.at,
  };
  requireSensible(product);
  return product;
}

function requireSensible({ storage, udiDi, packaging }: Product): void {
  const crossed = (low: number | null, high: number | null) => low !== null && high !== null && low > high;
  if (crossed(storage.temperatureMin, storage.temperatureMax))
    throw refuseCatalogue('range_crossed', '/storage/temperatureMin');
  if (crossed(storage.humidityMin, storage.humidityMax))
    throw refuseCatalogue('range_crossed', '/storage/humidityMin');
  const identifiers = [...(udiDi === null ? [] : [udiDi]), ...packaging.map((level) => level.udiDi)];
  if (new Set(identifiers).size !== identifiers.length) throw refuseCatalogue('udi_di_taken', '/packaging');
}
