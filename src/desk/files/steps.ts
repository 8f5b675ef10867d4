import { countOf, formatCount } from '../../lib/text/count.ts';
import { isSandbox, type ReportData } from '../../report/report-data.ts';
import type { Step, StepState } from '../shapes.ts';

export interface StepFacts {
  /** Title of what the export is. Null while nothing has looked at it, and if there is none or it cannot be read. */
  readonly source: string | null;
  readonly isCounted: boolean;
  /** Questions that nobody has answered; null if they are not known. */
  readonly open: number | null;
  readonly plan: ReportData | null;
  /** Whether the plan has the answers of this moment. */
  readonly isPlanCurrent: boolean;
  readonly rehearsal: ReportData | null;
  /** Who looked through the people of a plan, and how many these were; null if no one did. */
  readonly peopleSeen: PeopleSeen | null;
}

export interface PeopleSeen {
  readonly by: string;
  readonly count: number;
}

/** The steps of a migration in their order, and how far each is. Nothing is remembered: it follows from the files. */
export const listSteps = (facts: StepFacts): readonly StepState[] => [
  sourceStep(facts),
  conversationsStep(facts),
  decideStep(facts),
  peopleStep(facts),
  rehearseStep(facts),
  goStep(facts),
];

/** The first step that can be gone on with; the last one if all are done. */
export const findNextStep = (steps: readonly StepState[]): Step =>
  (steps.find(({ status }) => status === 'open') ?? steps.at(-1))?.step ?? 'source';

const state = (step: Step, status: StepState['status'], note = ''): StepState => ({ step, status, note });

const sourceStep = ({ source }: StepFacts): StepState =>
  source === null ? state('source', 'open') : state('source', 'done', source);

/** Nothing has to be done there. */
const conversationsStep = ({ source, isCounted, plan }: StepFacts): StepState =>
  state('conversations', source !== null && (isCounted || plan !== null) ? 'done' : 'waiting');

function decideStep({ source, open, plan }: StepFacts): StepState {
  if (source === null) return state('decide', 'waiting');
  if (open === null) return state('decide', 'open');
  if (open > 0) return state('decide', 'open', `${formatCount(open)} to decide`);
  return plan === null ? state('decide', 'waiting', 'more after a plan') : state('decide', 'done');
}

/** People are known once there is a plan. */
function peopleStep({ plan, peopleSeen }: StepFacts): StepState {
  if (plan === null) return state('people', 'waiting');
  const { total } = plan.people;
  if (total === 0) return state('people', 'done');
  if (peopleSeen?.count === total) return state('people', 'done', `seen by ${peopleSeen.by}`);
  return state('people', 'open', peopleSeen === null ? countOf(total, 'person', 'people') : 'people have changed');
}

/** Whether nothing is sent before a person has confirmed how the rows are read. */
export const isUnconfirmed = ({ reading }: ReportData): boolean => (reading?.stops.length ?? 0) > 0;

const changedAnswers = 'answers have changed';

function rehearseStep({ plan, isPlanCurrent, rehearsal, open }: StepFacts): StepState {
  if (plan === null || isUnconfirmed(plan)) return state('rehearse', open === 0 ? 'open' : 'waiting');
  if (!isPlanCurrent) return state('rehearse', 'open', changedAnswers);
  if (rehearsal === null) return state('rehearse', 'open');
  if (!matchesPlan(rehearsal, plan)) return state('rehearse', 'open', 'the plan has changed');
  return state('rehearse', hasArrived(rehearsal) ? 'done' : 'open');
}

/** Whether a rehearsal has the export and the mapping of the plan. Its sandbox has limits of its own. */
export const matchesPlan = ({ pins }: ReportData, plan: ReportData | null): boolean =>
  pins !== null && pins.export === plan?.pins?.export && pins.mapping === plan.pins.mapping;

function goStep({ plan, isPlanCurrent }: StepFacts): StepState {
  if (plan === null || isUnconfirmed(plan)) return state('go', 'waiting');
  const isReal = plan.destination !== null && !isSandbox(plan.destination);
  if (isReal && plan.command !== 'plan' && hasArrived(plan)) return state('go', 'done');
  const { signedOff } = plan;
  if (signedOff === undefined) return state('go', 'open');
  if (!isPlanCurrent) return state('go', 'open', changedAnswers);
  return state('go', 'open', signedOff.isCurrent ? `signed by ${signedOff.by}` : 'the plan has changed');
}

/** Everything was sent and read back, and is the same. */
const hasArrived = ({ totals, verify, unverified }: ReportData): boolean =>
  totals.planned > 0 &&
  totals.pending + totals.unconfirmed + totals.failed === 0 &&
  verify !== null &&
  unverified === undefined;
