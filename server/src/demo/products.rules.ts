import { gs1CheckDigit } from '@lotward/udi';
import type { ProductToPut } from '../catalogue/index.js';
import { diceFrom } from './dice.rules.js';
import { FAMILIES, type Family } from './families.rules.js';
import { type DemoWords, demoWords } from './language.rules.js';
import { SUPPLIER_CODES } from './partners.rules.js';
import { type Registration, registrationOf } from './registrations.rules.js';

export interface DemoProduct {
  /** Its position in the catalogue, the only seed of its random values. */
  place: number;
  family: Family;
  registration: Registration;
  put: ProductToPut;
}

/** A fictitious company prefix; the first item is the product of the greeting's example call. */
const PREFIX = '690123';
const FIRST_ITEM = 456_789;

/** `indicator` 0 is the unit itself, 1 its box, 2 a case of boxes. */
function gtin14(indicator: 0 | 1 | 2, item: number): string {
  const body = `${indicator}${PREFIX}${item}`;
  return body + gs1CheckDigit(body);
}

export function demoProducts(words: DemoWords = demoWords('en')): DemoProduct[] {
  const { say, size: sizeText, registrationNo } = words;
  return FAMILIES.flatMap((family, familyPlace) =>
    family.sizes.map((size, sizePlace) => ({ family, familyPlace, size, sizePlace })),
  ).map(({ family, familyPlace, size, sizePlace }, place) => {
    const item = FIRST_ITEM + place;
    const dice = diceFrom(item);
    const registration = registrationOf(family, size);
    const initials = family.name.replaceAll(/[^A-Za-z ]/g, '').slice(0, 3);
    return {
      place,
      // Licences name the categories of what they cover.
      family: { ...family, category: say(family.category) },
      registration,
      put: {
        productCode: gtin14(0, item),
        input: {
          productName: `${say(family.name)} ${sizeText(size)}`,
          specification: sizeText(size),
          model: `${initials.trim().toUpperCase()}-${String(sizePlace + 1).padStart(3, '0')}`,
          manufacturer: say(family.maker),
          category: say(family.category),
          riskClass: family.riskClass,
          registrationNo: registrationNo(registration),
          unit: say(family.unit),
          packaging: packagingOf(family, item),
          storage: family.cold
            ? { temperatureMin: 2, temperatureMax: 8 }
            : { temperatureMin: 15, temperatureMax: 25, humidityMax: 70 },
          sterile: family.sterile,
          implantable: family.implantable,
          tracking: family.tracking,
          shelfLifeDays: family.shelfLifeDays === 0 ? null : family.shelfLifeDays,
          safetyStock: Math.ceil((family.usualQuantity * dice.between(3, 15)) / 10),
          nearExpiryDays: family.cold ? 60 : 180,
          supplierCode: SUPPLIER_CODES[familyPlace % SUPPLIER_CODES.length] ?? null,
        },
      },
    };
  });
}

const BOXES_IN_A_CASE = 10;

function packagingOf({ boxOf }: Family, item: number) {
  if (boxOf === 0) return [];
  const box = { udiDi: gtin14(1, item), level: 'box', quantity: boxOf };
  if (boxOf < 50) return [box];
  return [box, { udiDi: gtin14(2, item), level: 'case', quantity: boxOf * BOXES_IN_A_CASE }];
}
