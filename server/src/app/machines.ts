import { certificateMachine } from '../certificates/index.js';
import { dispatchMachine } from '../dispatching/index.js';
import { orderMachine } from '../orders/index.js';
import { dispositionMachine } from '../quality/index.js';
import { recallMachine } from '../recalls/index.js';
import { receiptMachine } from '../receiving/index.js';

/** The resources that go through states: the table of moves is generated from these. */
export const allMachines = [
  receiptMachine,
  orderMachine,
  dispatchMachine,
  dispositionMachine,
  recallMachine,
  certificateMachine,
];
