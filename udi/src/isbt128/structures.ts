/*
 * The data structures of ISBT 128 that occur on devices and blood containers: all of fixed length, each begun by
 * the two or three characters of its identifier. A donation identification number has only one, =, followed by
 * its own first character.
 */
export interface Structure {
  readonly identifier: string;
  readonly length: number;
  readonly holds: 'text' | 'digits' | 'date' | 'dateTime';
  /** The field, or the name in `other`. */
  readonly name: string;
}

/** The donation identification number. */
export const DONATION: Structure = {
  identifier: '=',
  length: 15,
  holds: 'text',
  name: 'donationIdentificationNumber',
};

/** The header of a compound message. */
export const COMPOUND: Structure = {
  identifier: '=+',
  length: 5,
  holds: 'digits',
  name: 'compoundMessage',
};

/** All other structures. */
export const structures: readonly Structure[] = [
  COMPOUND,
  { identifier: '=/', length: 16, holds: 'text', name: 'deviceIdentifier' },
  { identifier: '=)', length: 10, holds: 'text', name: 'containerIdentifier' },
  { identifier: '=,', length: 6, holds: 'text', name: 'serialNo' },
  DONATION,
  { identifier: '=>', length: 6, holds: 'date', name: 'expiryDate' },
  { identifier: '&>', length: 10, holds: 'dateTime', name: 'expiryDate' },
  { identifier: '=}', length: 6, holds: 'date', name: 'manufactureDate' },
  { identifier: '&}', length: 10, holds: 'dateTime', name: 'manufactureDate' },
  { identifier: '&,1', length: 18, holds: 'text', name: 'batchNo' },
  { identifier: '&)', length: 10, holds: 'text', name: 'batchNo' },
  { identifier: '=*', length: 6, holds: 'date', name: 'collectionDate' },
  { identifier: '&*', length: 10, holds: 'dateTime', name: 'collectionDate' },
  { identifier: '=<', length: 8, holds: 'text', name: 'productCode' },
  { identifier: '=%', length: 4, holds: 'text', name: 'bloodGroups' },
  { identifier: '&(', length: 5, holds: 'text', name: 'specialTesting' },
];

/** The name under which `other` keeps the time of a structure that holds date and time. */
export const timeName = (name: string): string => name.replace('Date', 'Time');
