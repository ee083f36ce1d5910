/** The organization that assigned the device identifier. `MA` and `AHM` are the Chinese issuers, `IFA` the German one. */
export type IssuingAgency = 'GS1' | 'HIBCC' | 'ICCBBA' | 'MA' | 'AHM' | 'IFA';

/** The content of a code. Every field is present, null where the code does not have it. Dates are YYYY-MM-DD. */
export interface UdiContent {
  /** The agency whose rules the code follows. */
  readonly issuingAgency: IssuingAgency;
  /** The device identifier (UDI-DI). Null for a code that names no device type: a HIBC secondary alone, a Basic UDI-DI, an AHM code. */
  readonly deviceIdentifier: string | null;
  /** Batch or lot number. */
  readonly batchNo: string | null;
  /** Serial number. */
  readonly serialNo: string | null;
  /** Date of manufacture, YYYY-MM-DD. */
  readonly manufactureDate: string | null;
  /** Last day of use, YYYY-MM-DD. */
  readonly expiryDate: string | null;
  /** Number of units, for codes that state it. */
  readonly quantity: number | null;
  /** Everything else in the code, by GS1 application identifier or by the names the README lists. */
  readonly other: Readonly<Record<string, string>>;
}

/** A code that was read: its content and its text. */
export interface Udi extends UdiContent {
  /** The code exactly as it was passed in. */
  readonly raw: string;
}

/** The content of a code that has none of the fields; readers and writers fill in the rest. */
export const emptyContent = {
  deviceIdentifier: null,
  batchNo: null,
  serialNo: null,
  manufactureDate: null,
  expiryDate: null,
  quantity: null,
  other: {},
} as const satisfies Omit<UdiContent, 'issuingAgency'>;

/** The key of a Basic UDI-DI in `other`. It names a family of devices and is printed on no label. */
export const BASIC_UDI_DI = 'basicUdiDi';
