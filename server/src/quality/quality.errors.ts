import { type Reasons, refusalOf } from '../platform/errors/index.js';

export const qualityReasons = {
  same_person: {
    kind: 'invalid',
    meaning: 'the person who proposed a disposition cannot approve it',
    remedy: 'Let another person approve it.',
  },
  lines_required: {
    kind: 'invalid',
    meaning: 'the disposition names no goods',
    remedy: 'Give `lines`, `holdIds` or `ncIds`.',
  },
  too_many_lines: {
    kind: 'invalid',
    meaning: 'the disposition has more lines than one document can have',
    remedy: 'Split it into several dispositions.',
  },
  not_undecided: {
    kind: 'invalid',
    meaning: 'less than that is left to decide',
    remedy:
      'Read the hold or the entry and the dispositions about it; ask for less, or reject a disposition that claims it.',
  },
  hold_or_entry_required: {
    kind: 'invalid',
    meaning: 'a line names one hold or one entry of the register',
    remedy: 'Give either `holdId` or `ncId`.',
  },
  warehouse_required: {
    kind: 'invalid',
    meaning: 'the goods are in several warehouses',
    remedy: 'Give `warehouse`, or leave out the quantity to decide about all of them.',
  },
  serials_required: {
    kind: 'invalid',
    meaning: 'a part of goods tracked by serial number is decided unit by unit',
    remedy: 'Name the `serials`.',
  },
  serials_not_tracked: {
    kind: 'invalid',
    meaning: 'these goods have no serial numbers',
    remedy: 'Leave `serials` out.',
  },
  hold_released: {
    kind: 'invalid',
    meaning: 'the hold is already released',
    remedy: 'No action is needed.',
  },
  supplier_required: {
    kind: 'invalid',
    meaning: 'the supplier to whom the goods go back is not known, or there are several',
    remedy: 'Give `supplierCode`, and a disposition for each supplier.',
  },
  too_many_rows: {
    kind: 'invalid',
    meaning: 'the file would have more rows than can be downloaded at once',
    remedy: 'Narrow it with `since` and `until`.',
  },
  witness_required: {
    kind: 'invalid',
    meaning: 'a destruction needs a witness',
    remedy: 'Give `witness`.',
  },
} as const satisfies Reasons;

export const refuseQuality = refusalOf(qualityReasons);
