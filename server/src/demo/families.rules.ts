/** Products of one kind that differ in size. Manufacturers and registration numbers are fictitious. */
export interface Family {
  maker: string;
  category: string;
  riskClass: 'I' | 'II' | 'III';
  tracking: 'none' | 'batch' | 'serial';
  sterile: boolean;
  implantable: boolean;
  /** Kept at 2–8 °C. */
  cold: boolean;
  /** 0 if the product does not expire. */
  shelfLifeDays: number;
  unit: string;
  /** Units in a box; 0 if sold singly. */
  boxOf: number;
  /** Units of a usual batch. */
  usualQuantity: number;
  name: string;
  sizes: string[];
}

export const MAKERS = {
  H: 'Halvorsen Vascular',
  M: 'Meridia Surgical',
  Q: 'Quillon Diagnostics',
  T: 'Tessaro Medical Systems',
} as const;

// maker; category; risk class; tracking; s(terile) i(mplantable) c(old); shelf life in days; unit; box of; usual batch; name; sizes
const TABLE = `
H; Cardiology; III; batch; si; 1095; pc; 0; 24; Coronary stent, drug-eluting; {3.0|2.25|2.5|2.75|3.5|4.0} × {18|12|24|30} mm
H; Cardiology; III; batch; s; 1095; pc; 0; 30; PTCA balloon catheter; {2.0|2.5|3.0|3.5} × {10|15|20} mm
H; Cardiology; III; batch; s; 1095; pc; 5; 40; Guiding catheter; {6F|7F} {JL 3.5|JL 4|JR 4|EBU 3.5|AL 1}
H; Cardiology; II; batch; s; 1460; pc; 5; 60; Angiography catheter; {5F|6F} {JL 4|JR 4|pigtail|multipurpose}
H; Cardiology; II; batch; s; 1460; pc; 10; 80; Introducer sheath with dilator; {4F|5F|6F|7F|8F} 11 cm
H; Cardiology; III; batch; s; 1095; pc; 5; 50; Coronary guidewire 0.014 in; {floppy|intermediate|stiff} {190|300} cm
H; Cardiac rhythm; III; serial; si; 730; pc; 0; 6; Pacing lead, active fixation; {45|52|58} cm
H; Cardiac rhythm; III; serial; si; 540; pc; 0; 5; Implantable pacemaker; {single chamber|dual chamber|dual chamber MRI}
H; Cardiology; III; batch; s; 730; pc; 10; 30; Vascular closure device; {6F|8F}
M; Sutures; II; batch; si; 1825; pc; 36; 360; Absorbable suture, polyglactin 910; USP {5-0|4-0|3-0|2-0|0|1} needle {16|22|26} mm
M; Sutures; II; batch; si; 1825; pc; 36; 288; Polypropylene suture, blue; USP {6-0|5-0|4-0|3-0|2-0} needle {13|17|26} mm
M; Sutures; II; batch; si; 1825; pc; 24; 144; Silk suture, braided; USP {4-0|3-0|2-0} needle {19|26} mm
M; General surgery; II; batch; si; 1825; pc; 0; 40; Hernia mesh, polypropylene; {6 × 11|10 × 15|15 × 15|30 × 30} cm
M; General surgery; II; batch; s; 1095; pc; 6; 60; Linear stapler reload; {30|45|60} mm {white|blue|green}
M; General surgery; II; batch; s; 1095; pc; 6; 48; Optical trocar; {5|10|12} × {75|100} mm
M; Instruments; II; batch; s; 1825; pc; 100; 800; Scalpel blade, carbon steel; no. {10|11|12|15|20|21|22|23}
M; Protection; I; none; -; 0; pc; 100; 4000; Examination gloves, nitrile, powder-free; size {XS|S|M|L|XL}
M; Protection; II; batch; s; 1095; pair; 50; 500; Surgical gloves, latex-free; size {6.0|6.5|7.0|7.5|8.0|8.5|9.0}
M; Protection; I; none; -; 0; pc; 50; 3000; Surgical mask type IIR; {ear loops|tie-on}
M; Wound care; I; none; -; 0; pc; 100; 2500; Gauze swab, 8-ply, non-sterile; {5 × 5|7.5 × 7.5|10 × 10} cm
M; Wound care; II; batch; s; 1095; pc; 10; 150; Foam dressing with silicone border; {7.5 × 7.5|10 × 10|15 × 15|20 × 20} cm
M; Orthopaedics; II; batch; si; 1825; pc; 0; 60; Cortical screw, titanium, 3.5 mm; {10|12|14|16|18|20|22|24|26|28|30|32|34|36|38|40} mm
M; Orthopaedics; II; batch; si; 1825; pc; 0; 12; Locking plate, titanium, 3.5 mm; {4|6|8|10|12} holes
M; Orthopaedics; III; batch; si; 1825; pc; 0; 6; Hip stem, cementless; size {1|2|3|4|5|6|7|8|9}
Q; Reagents; II; batch; c; 365; kit; 0; 20; High-sensitivity troponin I assay; {100|200|500} tests
Q; Reagents; II; batch; c; 450; kit; 0; 30; Clinical chemistry reagent; {glucose|creatinine|ALT|AST|cholesterol|HbA1c|CRP|D-dimer|TSH|ferritin|albumin|urea|procalcitonin|NT-proBNP} {100|300} tests
Q; Reagents; II; batch; c; 540; vial; 6; 36; Multi-analyte control serum; level {1|2|3}
Q; Blood collection; I; batch; s; 540; pc; 100; 2000; Vacuum blood collection tube; {EDTA 2 mL|EDTA 4 mL|citrate 2.7 mL|serum 5 mL|serum 8 mL|heparin 4 mL|fluoride 2 mL}
Q; Point of care; II; batch; -; 540; box; 0; 120; Blood glucose test strips; {25|50|100} strips
Q; Point of care; II; batch; -; 540; box; 0; 80; Rapid antigen test; {influenza A/B|RSV|strep A|norovirus} 20 tests
T; Infusion; II; serial; -; 0; pc; 0; 12; Volumetric infusion pump; {VP-100|VP-200|VP-200 wireless}
T; Infusion; II; serial; -; 0; pc; 0; 10; Syringe pump; {SP-50|SP-50 PCA|SP-80}
T; Monitoring; II; serial; -; 0; pc; 0; 8; Patient monitor; {M8|M12|M15}
T; Emergency; III; serial; -; 0; pc; 0; 5; Defibrillator; {AED|Pro}
T; Infusion; II; batch; s; 1825; pc; 50; 600; Infusion set; {gravity|pump|light-protected|0.2 µm filter} {150|200} cm
T; Injection; II; batch; s; 1825; pc; 100; 2000; Syringe, Luer lock; {2|5|10|20|50} mL
T; Injection; II; batch; s; 1825; pc; 100; 3000; Hypodermic needle; {18G|20G|21G|22G|23G|25G|27G} × 40 mm
T; Injection; II; batch; s; 1825; pc; 50; 900; Peripheral IV catheter with port; {14G|16G|18G|20G|22G|24G}
T; Ophthalmology; II; batch; s; 1460; pc; 6; 90; Contact lens, monthly, silicone hydrogel; {-0.50|-0.75|-1.00|-1.25|-1.50|-1.75|-2.00|-2.25|-2.50|-2.75|-3.00|-3.25|-3.50|-3.75|-4.00|-4.25|-4.50|-4.75|-5.00|-5.25|-5.50|-5.75|-6.00} D
T; Ophthalmology; II; batch; s; 1460; pc; 30; 300; Contact lens, daily, hydrogel; {-1.00|-1.50|-2.00|-2.50|-3.00} D
T; Ophthalmology; III; batch; si; 1460; pc; 0; 8; Intraocular lens, hydrophobic acrylic; +{16.0|16.5|17.0|17.5|18.0|18.5|19.0|19.5|20.0|20.5|21.0|21.5|22.0|22.5|23.0|23.5|24.0} D
`;

export const FAMILIES: readonly Family[] = TABLE.trim().split('\n').map(familyOf);

function familyOf(line: string): Family {
  const cells = line.split(';').map((cell) => cell.trim());
  const [
    maker = '',
    category = '',
    riskClass,
    tracking,
    marks = '',
    shelf,
    unit = '',
    box,
    usual,
    name = '',
  ] = cells;
  return {
    maker: MAKERS[maker as keyof typeof MAKERS],
    category,
    riskClass: riskClass as Family['riskClass'],
    tracking: tracking as Family['tracking'],
    sterile: marks.includes('s'),
    implantable: marks.includes('i'),
    cold: marks.includes('c'),
    shelfLifeDays: Number(shelf),
    unit,
    boxOf: Number(box),
    usualQuantity: Number(usual),
    name,
    sizes: expand(cells[10] ?? ''),
  };
}

/** Expands `{a|b} x {1|2}` to every combination. */
function expand(pattern: string): string[] {
  const match = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern);
  if (!match) return [pattern];
  const [, before = '', choices = '', after = ''] = match;
  const rests = expand(after);
  return choices.split('|').flatMap((choice) => rests.map((rest) => `${before}${choice}${rest}`));
}
