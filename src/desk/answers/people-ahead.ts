import type { ReportData } from '../../report/report-data.ts';
import type { Parts } from './parts.ts';
import { factsOf } from './people.ts';

/** People of a plan that are read unasked. More would keep questions waiting for longer than 3 s. */
const peopleMax = 200_000;

/** Reads the people of each plan before anybody asks for them: 100,000 of them take a second. */
export class PeopleAhead {
  #read: ReportData | null = null;

  /** Sees whether there is another plan. Its decisions come first. */
  check(parts: Parts): void {
    const { workspace, runner, deciding, engine } = parts;
    const plan = workspace.report('plan');
    if (plan === null || plan === this.#read || runner.isBusy || deciding.open === null) return;
    this.#read = plan;
    if (plan.people.total > peopleMax) return;
    const query = { search: '', only: 'all', after: null } as const;
    // Who asks for them gets the words.
    engine.call('people', { facts: factsOf(parts), query }).catch(() => {});
  }
}
