import type { ReportData } from '../../report/report-data.ts';
import type { Workspace } from '../files/workspace.ts';
import type { Runner } from '../runs/runner.ts';
import type { Deciding } from './deciding.ts';
import type { Engine } from './engine.ts';
import { peopleFacts } from './people-calls.ts';

export interface PeopleAheadOptions {
  readonly workspace: Workspace;
  readonly engine: Engine;
  readonly runner: Pick<Runner, 'isBusy'>;
  readonly deciding: Pick<Deciding, 'open'>;
}

/** People of a plan that are read unasked. More would keep other questions waiting for longer than 3 s. */
const peopleMax = 200_000;

/** Reads the people of each plan before anybody asks for them: 100,000 of them take a second. */
export class PeopleAhead {
  readonly #options: PeopleAheadOptions;
  #read: ReportData | null = null;

  constructor(options: PeopleAheadOptions) {
    this.#options = options;
  }

  /** Sees whether there is another plan. Its decisions come first. @throws UsageError */
  check(): void {
    const { workspace, runner, deciding, engine } = this.#options;
    const plan = workspace.report('plan');
    if (plan === null || plan === this.#read || runner.isBusy || deciding.open === null) return;
    this.#read = plan;
    if (plan.people.total > peopleMax) return;
    const query = { search: '', only: 'all', after: null } as const;
    // Whoever asks for them later gets the words of an error.
    engine.call('people', { facts: peopleFacts(workspace), query }).catch(() => {});
  }
}
