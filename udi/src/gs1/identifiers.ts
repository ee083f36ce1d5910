/*
 * The application identifiers of the GS1 General Specifications, as data.
 *
 * A format is a list of parts joined by +. A part is a character set (N digits, X set 82, Y set 39, Z base 64),
 * a length (14, or ..20 for one to twenty), and after a colon what it must hold. A part in brackets may be missing.
 * An identifier that ends in n stands for the ten, or by n5 six, that differ in how many decimals a value has.
 */
const rows: readonly (readonly [identifiers: string, title: string, format: string])[] = [
  ['00', 'SSCC', 'N18:check'],
  ['01', 'GTIN', 'N14:check'],
  ['02', 'CONTENT', 'N14:check'],
  ['03', 'MTO GTIN', 'N14:check'],
  ['10', 'BATCH/LOT', 'X..20'],
  ['11', 'PROD DATE', 'N6:date'],
  ['12', 'DUE DATE', 'N6:date'],
  ['13', 'PACK DATE', 'N6:date'],
  ['15', 'BEST BEFORE or BEST BY', 'N6:date'],
  ['16', 'SELL BY', 'N6:date'],
  ['17', 'USE BY or EXPIRY', 'N6:date'],
  ['20', 'VARIANT', 'N2'],
  ['21', 'SERIAL', 'X..20'],
  ['22', 'CPV', 'X..20'],
  ['235', 'TPX', 'X..28'],
  ['240', 'ADDITIONAL ID', 'X..30'],
  ['241', 'CUST. PART No.', 'X..30'],
  ['242', 'MTO VARIANT', 'N..6'],
  ['243', 'PCN', 'X..20'],
  ['250', 'SECONDARY SERIAL', 'X..30'],
  ['251', 'REF. TO SOURCE', 'X..30'],
  ['253', 'GDTI', 'N13:check+[X..17]'],
  ['254', 'GLN EXTENSION COMPONENT', 'X..20'],
  ['255', 'GCN', 'N13:check+[N..12]'],
  ['30', 'VAR. COUNT', 'N..8'],
  ['310n5 311n5 312n5 313n5 314n5 315n5 316n5', 'trade measure, metric', 'N6'],
  ['320n5 321n5 322n5 323n5 324n5 325n5 326n5 327n5 328n5 329n5', 'trade measure', 'N6'],
  ['330n5 331n5 332n5 333n5 334n5 335n5 336n5 337n5', 'logistic measure, metric', 'N6'],
  ['340n5 341n5 342n5 343n5 344n5 345n5 346n5 347n5 348n5 349n5', 'logistic measure', 'N6'],
  ['350n5 351n5 352n5 353n5 354n5 355n5 356n5 357n5', 'area, weight or volume', 'N6'],
  ['360n5 361n5 362n5 363n5 364n5 365n5 366n5 367n5 368n5 369n5', 'volume', 'N6'],
  ['37', 'COUNT', 'N..8'],
  ['390n', 'AMOUNT', 'N..15'],
  ['391n', 'AMOUNT', 'N3+N..15'],
  ['392n', 'PRICE', 'N..15'],
  ['393n', 'PRICE', 'N3+N..15'],
  ['394n3', 'PRCNT OFF', 'N4'],
  ['395n5', 'PRICE/UoM', 'N6'],
  ['400', 'ORDER NUMBER', 'X..30'],
  ['401', 'GINC', 'X..30'],
  ['402', 'GSIN', 'N17:check'],
  ['403', 'ROUTE', 'X..30'],
  ['410', 'SHIP TO LOC', 'N13:check'],
  ['411', 'BILL TO', 'N13:check'],
  ['412', 'PURCHASE FROM', 'N13:check'],
  ['413', 'SHIP FOR LOC', 'N13:check'],
  ['414', 'LOC No.', 'N13:check'],
  ['415', 'PAY TO', 'N13:check'],
  ['416', 'PROD/SERV LOC', 'N13:check'],
  ['417', 'PARTY', 'N13:check'],
  ['420', 'SHIP TO POST', 'X..20'],
  ['421', 'SHIP TO POST', 'N3+X..9'],
  ['422', 'ORIGIN', 'N3'],
  ['423', 'COUNTRY - INITIAL PROCESS', 'N..15'],
  ['424', 'COUNTRY - PROCESS', 'N3'],
  ['425', 'COUNTRY - DISASSEMBLY', 'N..15'],
  ['426', 'COUNTRY - FULL PROCESS', 'N3'],
  ['427', 'ORIGIN SUBDIVISION', 'X..3'],
  ['4300 4301 4310 4311 4320', 'company, name or service of a shipment', 'X..35'],
  ['4302 4303 4304 4305 4306 4312 4313 4314 4315 4316', 'address of a shipment', 'X..70'],
  ['4307 4317', 'country of a shipment', 'X2'],
  ['4308 4319', 'telephone of a shipment', 'X..30'],
  ['4309', 'SHIP TO GEO', 'N20'],
  ['4318', 'RTN TO POST', 'X..20'],
  ['4321 4322 4323', 'yes or no of a shipment', 'N1:yesno'],
  ['4324 4325', 'delivery date and time', 'N6:date+N4:timeOrNone'],
  ['4326', 'REL DATE', 'N6:day'],
  ['4330 4331 4332 4333', 'temperature limit of a shipment', 'N6+[X1:minus]'],
  ['7001', 'NSN', 'N13'],
  ['7002', 'MEAT CUT', 'X..30'],
  ['7003', 'EXPIRY TIME', 'N6:day+N4:time'],
  ['7004', 'ACTIVE POTENCY', 'N..4'],
  ['7005', 'CATCH AREA', 'X..12'],
  ['7006', 'FIRST FREEZE DATE', 'N6:day'],
  ['7007', 'HARVEST DATE', 'N6:day+[N6:day]'],
  ['7008', 'AQUATIC SPECIES', 'X..3'],
  ['7009', 'FISHING GEAR TYPE', 'X..10'],
  ['7010', 'PROD METHOD', 'X..2'],
  ['7011', 'TEST BY DATE', 'N6:day+[N4:time]'],
  ['7020', 'REFURB LOT', 'X..20'],
  ['7021', 'FUNC STAT', 'X..20'],
  ['7022', 'REV STAT', 'X..20'],
  ['7023', 'GIAI - ASSEMBLY', 'X..30'],
  ['703n', 'PROCESSOR', 'N3+X..27'],
  ['7040', 'UIC+EXT', 'N1+X3'],
  ['7041', 'UFRGT UNIT TYPE', 'X..4'],
  ['710 711 712 713 714 715 716 717', 'national healthcare reimbursement number', 'X..20'],
  ['723n', 'CERT', 'X2+X..28'],
  ['7240', 'PROTOCOL', 'X..20'],
  ['7241', 'AIDC MEDIA TYPE', 'N2'],
  ['7242', 'VCN', 'X..25'],
  ['7250', 'DOB', 'N8:longDay'],
  ['7251', 'DOB TIME', 'N8:longDay+N4:time'],
  ['7252', 'BIO SEX', 'N1'],
  ['7253 7254', 'family or given name', 'X..40'],
  ['7255', 'SUFFIX', 'X..10'],
  ['7256', 'FULL NAME', 'X..90'],
  ['7257', 'PERSON ADDR', 'X..70'],
  ['7258', 'BIRTH SEQUENCE', 'N1+X1+N1'],
  ['7259', 'BABY', 'X..40'],
  ['8001', 'DIMENSIONS', 'N14'],
  ['8002', 'CMT No.', 'X..20'],
  ['8003', 'GRAI', 'N14:check+[X..16]'],
  ['8004', 'GIAI', 'X..30'],
  ['8005', 'PRICE PER UNIT', 'N6'],
  ['8006', 'ITIP', 'N14:check+N4:itip'],
  ['8007', 'IBAN', 'X..34'],
  ['8008', 'PROD TIME', 'N6:day+N2:hour+[N..4]'],
  ['8009', 'OPTSEN', 'X..50'],
  ['8010', 'CPID', 'Y..30'],
  ['8011', 'CPID SERIAL', 'N..12'],
  ['8012', 'VERSION', 'X..20'],
  ['8013', 'GMN', 'X..25:pair'],
  ['8014', 'MUDI', 'X..25:pair'],
  ['8017', 'GSRN - PROVIDER', 'N18:check'],
  ['8018', 'GSRN - RECIPIENT', 'N18:check'],
  ['8019', 'SRIN', 'N..10'],
  ['8020', 'REF No.', 'X..25'],
  ['8026', 'ITIP CONTENT', 'N14:check+N4:itip'],
  ['8030', 'DIGSIG', 'Z..90'],
  ['8110 8112', 'coupon', 'X..70'],
  ['8111', 'POINTS', 'N4'],
  ['8200', 'PRODUCT URL', 'X..70'],
  ['90', 'INTERNAL', 'X..30'],
  ['91 92 93 94 95 96 97 98 99', 'INTERNAL', 'X..90'],
];

/** The check that a part must pass besides its character set and length. */
export type PartContent =
  | 'check'
  | 'date'
  | 'day'
  | 'hour'
  | 'longDay'
  | 'minus'
  | 'pair'
  | 'itip'
  | 'time'
  | 'timeOrNone'
  | 'yesno';

/** One part of the format of a value. */
export interface Part {
  readonly set: 'digits' | 'set82' | 'set39' | 'set64';
  readonly lengthMin: number;
  readonly lengthMax: number;
  readonly isOptional: boolean;
  readonly content: PartContent | undefined;
}

/** An application identifier with its title and format. */
export interface ApplicationIdentifier {
  readonly ai: string;
  readonly title: string;
  readonly parts: readonly Part[];
  readonly lengthMin: number;
  readonly lengthMax: number;
  /** A scanner sends no separator after it, because its first two digits determine the length. */
  readonly isPredefinedLength: boolean;
}

const partSets = { N: 'digits', X: 'set82', Y: 'set39', Z: 'set64' } as const;

/** First two digits of the identifiers whose element strings have a predefined length. */
const predefined = new Set('00 01 02 03 04 11 12 13 14 15 16 17 18 19 20 31 32 33 34 35 36 41'.split(' '));

function partOf(text: string): Part {
  const isOptional = text.startsWith('[');
  const bare = isOptional ? text.slice(1, -1) : text;
  const [shape = '', content] = bare.split(':');
  const isVariable = shape.startsWith('..', 1);
  const length = Number(shape.slice(isVariable ? 3 : 1));
  return {
    set: partSets[shape[0] as keyof typeof partSets],
    lengthMin: isVariable ? 1 : length,
    lengthMax: length,
    isOptional,
    content: content as PartContent | undefined,
  };
}

function expanded(identifier: string): string[] {
  const [stem = '', last = '9'] = identifier.split('n');
  if (!identifier.includes('n')) return [identifier];
  return Array.from({ length: Number(last || '9') + 1 }, (_, decimals) => `${stem}${decimals}`);
}

function tableOf(): ReadonlyMap<string, ApplicationIdentifier> {
  const table = new Map<string, ApplicationIdentifier>();
  for (const [identifiers, title, format] of rows) {
    const parts = format.split('+').map(partOf);
    const lengthMin = parts.reduce((sum, part) => sum + (part.isOptional ? 0 : part.lengthMin), 0);
    const lengthMax = parts.reduce((sum, part) => sum + part.lengthMax, 0);
    for (const ai of identifiers.split(' ').flatMap(expanded)) {
      const isPredefinedLength = predefined.has(ai.slice(0, 2));
      table.set(ai, { ai, title, parts, lengthMin, lengthMax, isPredefinedLength });
    }
  }
  return table;
}

/** All application identifiers by their digits. */
export const applicationIdentifiers = tableOf();

/** The identifier at the given position. None is a prefix of another, so the first match is the only one. */
export function identifierAt(text: string, from: number): ApplicationIdentifier | undefined {
  for (let length = 2; length <= 4; length += 1) {
    const found = applicationIdentifiers.get(text.slice(from, from + length));
    if (found !== undefined) return found;
  }
  return undefined;
}
