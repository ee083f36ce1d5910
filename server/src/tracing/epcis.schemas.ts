import { Type } from 'typebox';

/** An EPCIS 2.0 document. Its events are described by the standard; anything they hold is passed on. */
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
