import { readUdi, type UdiForm, writeUdi } from '@lotward/udi';
import { refuseCode, refuseWithoutDevice } from '../catalogue/index.js';
import { drawLabel } from './draw-label.js';
import {
  captionLines,
  type Drawing,
  drawingFor,
  readableLines,
  type Symbology,
  textToEncode,
} from './label.rules.js';
import { drawSymbol } from './symbol-thread.js';
import { type Density, type LabelSize, zplData, zplLabel } from './zpl.rules.js';

interface PrintedCode {
  drawing: Drawing;
  /** The canonical form of the code, as a scanner reads it. */
  code: string;
  lines: readonly string[];
  expiryDate: string | null;
}

function printedCode(code: string, symbology: Symbology | undefined, today: string): PrintedCode {
  const reading = readUdi(code, { today });
  if (!reading.ok) throw refuseCode(reading.failure, 'code');
  const { udi } = reading;
  // A secondary HIBC code is printed on labels by itself; a Basic UDI-DI is never printed.
  if (udi.deviceIdentifier === null && udi.other.linkCharacter === undefined)
    throw refuseWithoutDevice('code');
  const drawing = drawingFor(udi.issuingAgency, symbology);
  const write = (form: UdiForm): string => {
    const writing = writeUdi(udi, { form, today });
    if (!writing.ok) throw refuseCode(writing.failure, 'code');
    return writing.code;
  };
  const isGs1 = drawing.agency === 'GS1';
  return {
    drawing,
    code: write(isGs1 ? 'scanner' : 'hibc'),
    lines: readableLines(write(isGs1 ? 'bracketed' : 'hibc'), drawing.agency),
    expiryDate: udi.expiryDate,
  };
}

/** A drawing is as wide as its text: most names fit, including the size at their end. */
const CAPTION_COLUMNS = 32;

/** The label of a code as SVG, drawn in turn by organization. It always shows the canonical form of the code. */
export async function labelOfCode(
  orgId: string,
  given: string,
  today: string,
  { symbology, name }: { symbology?: Symbology | undefined; name?: string | undefined },
): Promise<string> {
  const { drawing, code, lines, expiryDate } = printedCode(given, symbology, today);
  const symbol = await drawSymbol(orgId, textToEncode(code, drawing), drawing.shape);
  const captions = captionLines(name, expiryDate, lines, CAPTION_COLUMNS);
  return drawLabel(symbol, drawing.shape, [...captions, ...lines]);
}

/** Units of the drawing for each module. */
const MODULE_UNITS = 4;

/** The same label, as a matrix, for a Zebra printer. The symbol is drawn to determine its size. */
export async function zplOfCode(
  orgId: string,
  given: string,
  today: string,
  { name, ...options }: { size: LabelSize; density: Density; copies: number; name?: string | undefined },
): Promise<string> {
  const { drawing, code, lines, expiryDate } = printedCode(given, undefined, today);
  const { width } = await drawSymbol(orgId, textToEncode(code, drawing), drawing.shape);
  const data = zplData(code, drawing.agency);
  const captions = captionLines(name, expiryDate, lines);
  return zplLabel({ data, modules: width / MODULE_UNITS, lines, captions, ...options });
}
