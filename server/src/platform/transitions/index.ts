import { commonReasons, refusalOf } from '../errors/index.js';

/** One allowed move: in which states an action may be taken, and where it leads. */
export interface Move<S extends string, A extends string> {
  from: readonly S[];
  action: A;
  to: readonly S[];
  effect: string;
}

const refuse = refusalOf(commonReasons);

/** The moves of a resource as data: the rules ask it, and the documentation prints it. */
export class StateMachine<S extends string, A extends string> {
  readonly resource: string;
  readonly moves: readonly Move<S, A>[];

  constructor(resource: string, moves: readonly Move<S, A>[]) {
    this.resource = resource;
    this.moves = moves;
  }

  /** Refuses an action that the state does not allow, saying which state that is. */
  require(status: S, action: A): void {
    if (this.moves.some((move) => move.action === action && move.from.includes(status))) return;
    throw refuse(
      'transition_not_allowed',
      null,
      `the ${this.resource} is ${status}: ${action} is not possible`,
    );
  }
}
