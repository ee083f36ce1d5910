import { commonReasons, refusalOf } from '../errors/index.js';

/** One allowed transition: the states in which an action is possible, and the resulting states. */
export interface Move<S extends string, A extends string> {
  from: readonly S[];
  action: A;
  to: readonly S[];
  effect: string;
}

const refuse = refusalOf(commonReasons);

/** The transitions of a resource as data: the rules query them, and the documentation lists them. */
export class StateMachine<S extends string, A extends string> {
  readonly resource: string;
  readonly moves: readonly Move<S, A>[];

  constructor(resource: string, moves: readonly Move<S, A>[]) {
    this.resource = resource;
    this.moves = moves;
  }

  allows(status: S, action: A): boolean {
    return this.moves.some((move) => move.action === action && move.from.includes(status));
  }

  /** Refuses an action that the status does not allow; the message names the status. */
  require(status: S, action: A): void {
    if (this.allows(status, action)) return;
    throw refuse(
      'transition_not_allowed',
      null,
      `the ${this.resource} is ${status}: ${action} is not possible`,
    );
  }
}
