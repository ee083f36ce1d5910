import { Type } from 'typebox';

/** The standard defines the events, so the schema allows any properties in them. */
export const EpcisView = Type.Object(
  {
    '@context': Type.Array(Type.Unknown()),
    type: Type.String({ enum: ['EPCISDocument'] }),
    schemaVersion: Type.String(),
    creationDate: Type.String(),
    epcisBody: Type.Object({ eventList: Type.Array(Type.Object({}, { additionalProperties: true })) }),
    'lotward:nextCursor': Type.Optional(
      Type.String({ description: 'Sent when more follows; `cursor` of the next page.' }),
    ),
  },
  { description: 'With `format=epcis`: an EPCIS 2.0 document in JSON-LD.' },
);
