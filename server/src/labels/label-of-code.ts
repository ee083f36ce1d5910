import { readUdi, type UdiForm, writeUdi } from '@lotward/udi';
import { refuseCode, refuseWithoutDevice } from '../catalogue/index.js';
import { drawLabel } from './draw-label.js';
import { drawingFor, readableLines, type Symbology, textToEncode } from './label.rules.js';
import { drawSymbol } from './symbol-thread.js';

/** The label of a code as SVG, drawn in turn by organization. It always shows the canonical form of the code. */
export async function labelOfCode(
  orgId: string,
  code: string,
  symbology: Symbology | undefined,
  today: string,
): Promise<string> {
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
  const text = textToEncode(write(isGs1 ? 'scanner' : 'hibc'), drawing);
  const lines = readableLines(write(isGs1 ? 'bracketed' : 'hibc'), drawing.agency);
  return drawLabel(await drawSymbol(orgId, text, drawing.shape), lines);
}
