import { StateMachine } from '../platform/transitions/index.js';
import { refuseDispatch } from './dispatch.errors.js';
import type { Dispatch, DispatchLine, DispatchPick, DispatchStatus } from './dispatch.js';

export type DispatchAction = 'pick' | 'recheck' | 'deliver' | 'cancel' | 'stop';

export const dispatchMachine = new StateMachine<DispatchStatus, DispatchAction>('dispatch', [
  {
    from: ['picking'],
    action: 'pick',
    to: ['picking', 'rechecking'],
    effect: 'complete picks go on to re-check',
  },
  {
    from: ['rechecking'],
    action: 'recheck',
    to: ['dispatched', 'picking'],
    effect: 'passed: the stock leaves; failed: back to picking',
  },
  {
    from: ['dispatched'],
    action: 'deliver',
    to: ['delivered'],
    effect: 'the order is delivered with its last dispatch',
  },
  {
    from: ['picking', 'rechecking'],
    action: 'cancel',
    to: ['cancelled'],
    effect: 'its reservations go back to the order',
  },
  {
    from: ['picking', 'rechecking'],
    action: 'stop',
    to: ['picking'],
    effect: 'by a recall: recalled goods are taken out of its picks',
  },
]);

/** The lines to dispatch: those requested, or the rest of the order. */
export function chooseLines(
  asked: readonly { lineNo: number; quantity: number }[] | undefined,
  left: ReadonlyMap<number, number>,
): { lineNo: number; quantity: number }[] {
  if (!asked) {
    const lines = [...left]
      .filter(([, quantity]) => quantity > 0)
      .map(([lineNo, quantity]) => ({ lineNo, quantity }));
    if (lines.length === 0) throw refuseDispatch('nothing_left', null);
    return lines;
  }
  if (new Set(asked.map((line) => line.lineNo)).size !== asked.length)
    throw refuseDispatch('unknown_line', '/lines', 'a line is named twice');
  asked.forEach((line, i) => {
    const quantityMax = left.get(line.lineNo);
    if (quantityMax === undefined) throw refuseDispatch('unknown_line', `/lines/${i}/lineNo`);
    if (line.quantity > quantityMax)
      throw refuseDispatch(
        'more_than_left',
        `/lines/${i}/quantity`,
        `only ${quantityMax} are left of line ${line.lineNo}`,
      );
  });
  return asked.map(({ lineNo, quantity }) => ({ lineNo, quantity }));
}

/** Refuses picks that do not fit the lines, or exceed the reservation of their batch without a reason. */
export function requirePicks(dispatch: Dispatch, picks: readonly DispatchPick[]): void {
  if (new Set(picks.map((pick) => `${pick.lineNo}\n${pick.batchNo}`)).size !== picks.length) {
    throw refuseDispatch('duplicate_pick', '/picks');
  }
  picks.forEach((pick, i) => {
    const line = dispatch.lines.find((each) => each.lineNo === pick.lineNo);
    if (!line) throw refuseDispatch('unknown_line', `/picks/${i}/lineNo`);
    const reserved = line.toPick.find((each) => each.batchNo === pick.batchNo)?.quantity ?? 0;
    if (pick.quantity > reserved && pick.reason === null) {
      throw refuseDispatch(
        'reason_required',
        `/picks/${i}/reason`,
        `only ${reserved} of batch ${pick.batchNo} are reserved`,
      );
    }
  });
  for (const line of dispatch.lines) {
    if (pickedQuantity(line, picks) > line.quantity)
      throw refuseDispatch('too_many_picked', '/picks', `line ${line.lineNo} asks for ${line.quantity}`);
  }
}

const pickedQuantity = (line: DispatchLine, picks: readonly DispatchPick[]): number =>
  picks.filter((pick) => pick.lineNo === line.lineNo).reduce((sum, pick) => sum + pick.quantity, 0);

export const isComplete = (dispatch: Dispatch, picks: readonly DispatchPick[]): boolean =>
  dispatch.lines.every((line) => pickedQuantity(line, picks) === line.quantity);
