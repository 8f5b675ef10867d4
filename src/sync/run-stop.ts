import { exitCodes } from '../report/exit-codes.ts';

/** Why a run was asked to stop before its end: it goes on later. */
export class RunStop extends Error {
  override readonly name = 'RunStop';
  readonly code: 'interrupted' | 'outside-hours';
  readonly exit: number;
  readonly hint: string;

  private constructor(code: RunStop['code'], message: string, { exit, hint }: { exit: number; hint: string }) {
    super(message);
    this.code = code;
    this.exit = exit;
    this.hint = hint;
  }

  /** @param exit 130 or 143. */
  static byUser(exit: number): RunStop {
    return new RunStop('interrupted', 'Stopped: the process was asked to end', {
      exit,
      hint: 'The next start goes on where this run ended',
    });
  }

  static byHours(): RunStop {
    return new RunStop('outside-hours', 'Stopped: the hours in which the job may run are over', {
      exit: exitCodes.terminated,
      hint: 'It goes on when they begin again',
    });
  }
}
