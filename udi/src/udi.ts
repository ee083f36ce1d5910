/** Who assigned the device identifier. `MA` and `AHM` are the Chinese issuers, `IFA` the German one. */
export type IssuingAgency = 'GS1' | 'HIBCC' | 'ICCBBA' | 'MA' | 'AHM' | 'IFA';

/** What a code says. Every field is always there, null where the code says nothing. Dates are YYYY-MM-DD. */
export interface UdiContent {
  readonly issuingAgency: IssuingAgency;
  /** Null for a code that names no device type: a HIBC secondary alone, a Basic UDI-DI, an AHM code. */
  readonly deviceIdentifier: string | null;
  readonly batchNo: string | null;
  readonly serialNo: string | null;
  readonly manufactureDate: string | null;
  readonly expiryDate: string | null;
  readonly quantity: number | null;
  /** Everything else in the code, by GS1 application identifier or by the names the README lists. */
  readonly other: Readonly<Record<string, string>>;
}

export interface Udi extends UdiContent {
  /** The code exactly as it was given. */
  readonly raw: string;
}

export const nothingSaid = {
  deviceIdentifier: null,
  batchNo: null,
  serialNo: null,
  manufactureDate: null,
  expiryDate: null,
  quantity: null,
  other: {},
} as const satisfies Omit<UdiContent, 'issuingAgency'>;

/** Under this key `other` holds a Basic UDI-DI, which names a family of devices and is on no label. */
export const BASIC_UDI_DI = 'basicUdiDi';
