import { Type } from 'typebox';
import { Code, Instant, Nullable, OneOf, Strict, Text } from '../platform/http/index.js';
import { POINT_STATES, POINT_STATUSES, type Point } from './point.js';

export const Temperature = () => Type.Number({ minimum: -273.15, maximum: 1_000 });
export const Humidity = () => Type.Number({ minimum: 0, maximum: 100 });

const limitsBody = (value: typeof Temperature | typeof Humidity) =>
  Nullable(
    Strict(
      { min: Type.Optional(Nullable(value())), max: Type.Optional(Nullable(value())) },
      { description: 'Both inclusive; either may be left out. Null: no limits.' },
    ),
  );
const ignored = () => Type.Optional(Type.Unknown({ description: 'Ignored.' }));

export const PointBody = Strict({
  name: Text(200),
  warehouse: Code(),
  zone: Type.Optional(Nullable(Code('A zone of the warehouse; null: the whole of it.'))),
  temperature: Type.Optional(limitsBody(Temperature)),
  humidity: Type.Optional(limitsBody(Humidity)),
  alarmDelaySeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description: 'How long readings must stay outside before an alert opens; 0 when not given.',
    }),
  ),
  silentAfterSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 31_536_000,
      description: 'Without a reading for so long the point counts as silent; 3600 when not given.',
    }),
  ),
  status: Type.Optional(OneOf(POINT_STATUSES)),
  pointId: Type.Optional(Code('When given, the one of the path.')),
  state: ignored(),
  lastReading: ignored(),
  openAlerts: ignored(),
  createdAt: ignored(),
  updatedAt: ignored(),
});

export const LimitsView = Nullable(
  Type.Object({ min: Nullable(Type.Number()), max: Nullable(Type.Number()) }),
);

export const PointView = Type.Object({
  pointId: Type.String(),
  name: Type.String(),
  warehouse: Type.String(),
  zone: Nullable(Type.String()),
  temperature: LimitsView,
  humidity: LimitsView,
  alarmDelaySeconds: Type.Integer(),
  silentAfterSeconds: Type.Integer(),
  status: OneOf(POINT_STATUSES),
  state: OneOf(POINT_STATES),
  lastReading: Nullable(
    Type.Object({ at: Instant(), temperature: Nullable(Type.Number()), humidity: Nullable(Type.Number()) }),
  ),
  openAlerts: Type.Integer(),
  createdAt: Instant(),
  updatedAt: Instant(),
});

export const toPointView = (point: Point) => ({
  ...point,
  lastReading: point.lastReading && { ...point.lastReading, at: point.lastReading.at.toISOString() },
  createdAt: point.createdAt.toISOString(),
  updatedAt: point.updatedAt.toISOString(),
});
