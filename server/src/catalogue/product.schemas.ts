import { Type } from 'typebox';
import {
  Code,
  Instant,
  Model,
  Nullable,
  OneOf,
  Quantity,
  Strict,
  Text,
  Version,
} from '../platform/http/index.js';
import { PRODUCT_STATUSES, type Product, RISK_CLASSES, TRACKINGS } from './product.js';

const Temperature = () => Type.Number({ minimum: -273.15, maximum: 1_000 });
const Humidity = () => Type.Number({ minimum: 0, maximum: 100 });
const Packaging = Strict({
  udiDi: Text(128, 'The device identifier on this package.'),
  level: Text(32, 'Name of the packaging level, for example `box`.'),
  quantity: Quantity(1),
});

const storage = {
  temperatureMin: Nullable(Temperature()),
  temperatureMax: Nullable(Temperature()),
  humidityMin: Nullable(Humidity()),
  humidityMax: Nullable(Humidity()),
};

const described = {
  productName: Text(300),
  specification: Nullable(Text(300)),
  model: Nullable(Text(200)),
  manufacturer: Nullable(Text(300)),
  category: Nullable(Text(200)),
  riskClass: Nullable(OneOf(RISK_CLASSES)),
  udiDi: Nullable(Text(128, 'Device identifier of the base unit; a GTIN product code stands in for it.')),
  registrationNo: Nullable(Text(200)),
  unit: Nullable(Text(32)),
  shelfLifeDays: Nullable(Type.Integer({ minimum: 1, maximum: 36_500 })),
  supplierCode: Nullable(Code('A partner with the role supplier.')),
};

export const ProductView = Model('Product', {
  id: Type.String({ examples: ['prd_01kaa0b9ynf9q8s3v1wzc5x7d2'] }),
  productCode: Type.String({ examples: ['06901234567892'] }),
  ...described,
  packaging: Type.Array(Packaging),
  storage: Type.Object(storage),
  sterile: Type.Boolean(),
  implantable: Type.Boolean(),
  tracking: OneOf(TRACKINGS),
  safetyStock: Quantity(),
  nearExpiryDays: Type.Integer(),
  status: OneOf(PRODUCT_STATUSES),
  version: Version(),
  updatedAt: Instant(),
});

const optional = <P extends Record<string, ReturnType<typeof Nullable>>>(properties: P) =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof P]: ReturnType<typeof Type.Optional<P[K]>>;
  };
const { productName, ...descriptions } = described;

/** Read-only fields are accepted and ignored, so that a product can be read, changed and sent back. */
export const ProductBody = Strict({
  productName,
  ...optional(descriptions),
  packaging: Type.Optional(Type.Array(Packaging, { maxItems: 20 })),
  storage: Type.Optional(Nullable(Strict(optional(storage)))),
  sterile: Type.Optional(Type.Boolean()),
  implantable: Type.Optional(Type.Boolean()),
  tracking: Type.Optional(OneOf(TRACKINGS)),
  safetyStock: Type.Optional(Quantity()),
  nearExpiryDays: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
  status: Type.Optional(OneOf(PRODUCT_STATUSES)),
  id: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  version: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  updatedAt: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  productCode: Type.Optional(
    Type.String({ maxLength: 64, description: 'If sent, must equal the code in the path.' }),
  ),
});

export const toProductView = (product: Product) => ({
  ...product,
  updatedAt: product.updatedAt.toISOString(),
});
