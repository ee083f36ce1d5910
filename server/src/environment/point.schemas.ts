import { Type } from 'typebox';
import { Code, Instant, Model, Nullable, OneOf, Strict, Text, Version } from '../platform/http/index.js';
import { POINT_STATES, POINT_STATUSES, type Point } from './point.js';

export const Temperature = () => Type.Number({ minimum: -273.15, maximum: 1_000 });
export const Humidity = () => Type.Number({ minimum: 0, maximum: 100 });

const limitsBody = (value: typeof Temperature | typeof Humidity) =>
  Nullable(
    Strict(
      { min: Type.Optional(Nullable(value())), max: Type.Optional(Nullable(value())) },
      { description: 'Both inclusive; either can be omitted. Null: no limits.' },
    ),
  );
const ignored = () => Type.Optional(Type.Unknown({ description: 'Ignored.' }));

export const PointBody = Strict({
  name: Text(200),
  warehouse: Code(),
  zone: Type.Optional(Nullable(Code('A zone of the warehouse. Null: the whole warehouse.'))),
  temperature: Type.Optional(limitsBody(Temperature)),
  humidity: Type.Optional(limitsBody(Humidity)),
  alarmDelaySeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description: 'How long readings must stay outside before an alert opens. Default: 0.',
    }),
  ),
  silentAfterSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 31_536_000,
      description: 'A point without a reading for this long is silent. Default: 3600.',
    }),
  ),
  status: Type.Optional(OneOf(POINT_STATUSES)),
  pointId: Type.Optional(Code('If given, the same as in the path.')),
  state: ignored(),
  lastReading: ignored(),
  openAlerts: ignored(),
  version: ignored(),
  createdAt: ignored(),
  updatedAt: ignored(),
});

export const LimitsView = Nullable(
  Type.Object({ min: Nullable(Type.Number()), max: Nullable(Type.Number()) }),
);

export const PointView = Model('MonitoringPoint', {
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
  version: Version(),
  createdAt: Instant(),
  updatedAt: Instant(),
});

export const toPointView = (point: Point) => ({
  ...point,
  lastReading: point.lastReading && { ...point.lastReading, at: point.lastReading.at.toISOString() },
  createdAt: point.createdAt.toISOString(),
  updatedAt: point.updatedAt.toISOString(),
});
