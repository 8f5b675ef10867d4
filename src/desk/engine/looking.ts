import type { Recognised } from '../../decisions/recognise.ts';
import { ChatferryError, type Wanted } from '../../lib/errors.ts';
import { toDeskError } from '../answers/faults.ts';
import type { Workspace } from '../files/workspace.ts';
import type { CommandLine } from '../runs/command-lines.ts';
import type { Runner } from '../runs/runner.ts';
import type { DeskError } from '../shapes.ts';
import type { CallRequest } from './calls.ts';
import type { DatabasePassword } from './database-password.ts';
import type { Engine } from './engine.ts';
import type { Inspection } from '../../commands/results.ts';

/** The source of an export, or why it cannot be read. */
export type Found =
  | { readonly recognised: Recognised }
  | {
      readonly error: DeskError;
      /** The one thing that is missing. */
      readonly wants: Wanted | undefined;
    };

export interface LookingOptions {
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly runner: Runner;
  readonly password: DatabasePassword;
  readonly counting: () => CommandLine;
  /** Called when something was found. */
  readonly onChange: () => void;
  readonly onFault: (fault: unknown) => void;
}

/** Looks at the export and counts it: by itself, once, and again when the user has chosen another one. */
export class Looking {
  readonly #options: LookingOptions;
  /** The export that is looked at. */
  #key: string | undefined;
  #found: Found | undefined;
  #isCounted = false;

  constructor(options: LookingOptions) {
    this.#options = options;
  }

  /** Undefined until it was looked at, and if there is no export. */
  get found(): Found | undefined {
    return this.#found;
  }

  /** Undefined until it was counted. */
  get inspection(): Inspection | undefined {
    // Our own program printed it.
    return this.#isCounted ? (this.#options.runner.result('inspect') as Inspection | undefined) : undefined;
  }

  /** Sees whether the export is still the one that was looked at. @throws UsageError if the configuration cannot be read. */
  check(): void {
    const { workspace, password } = this.#options;
    const exports = workspace.exports();
    password.keepFor(exports);
    const { source, mapping } = workspace.options();
    const key = exports.length === 0 ? '' : JSON.stringify([exports, source]);
    if (key !== this.#key && this.#isNamedNow(exports, source)) this.#key = key;
    if (key !== this.#key) this.#begin(key, { exports, source, mapping });
    this.#count();
  }

  /** Counts again: it is read otherwise now. */
  countAgain(): void {
    this.#isCounted = false;
  }

  /** Whether the only news is that the configuration names the source that was recognised: an answer writes that. */
  #isNamedNow(exports: readonly string[], source: string | undefined): boolean {
    const recognised = this.#found && 'recognised' in this.#found ? this.#found.recognised.source : undefined;
    return source !== undefined && source === recognised && this.#key === JSON.stringify([exports, undefined]);
  }

  /** Looks again: the files of the export have changed, or a server has its password now. @throws UsageError */
  again(): void {
    this.#key = undefined;
    this.check();
  }

  #begin(key: string, toOpen: CallRequest<'recognise'>): void {
    const { engine, onChange, onFault } = this.#options;
    [this.#key, this.#found, this.#isCounted] = [key, undefined, false];
    onChange();
    if (key === '') return;
    engine.call('recognise', toOpen).then(
      (recognised) => this.#take(key, { recognised }),
      (error) => {
        if (error instanceof ChatferryError) this.#take(key, { error: toDeskError(error), wants: error.wants });
        else onFault(error);
      },
    );
  }

  #take(key: string, found: Found): void {
    if (key !== this.#key) return;
    this.#found = found;
    this.#options.onChange();
    this.#count();
  }

  /** Nothing else runs meanwhile: whatever the user starts is more important. */
  #count(): void {
    const { runner, counting } = this.#options;
    if (this.#isCounted || this.#found === undefined || 'error' in this.#found || runner.isBusy) return;
    runner.forget('inspect');
    this.#isCounted = true;
    runner.startByItself(counting());
  }
}
