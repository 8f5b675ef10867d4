import { countOf, Empty, formatCount, formatMoment, Stages, useAnswer } from '../../viewer/page/door.tsx';
import { formatDuration } from '../../lib/text/quantity.ts';
import { Icon } from '../../web/page/icon.tsx';
import type { IconName } from '../../web/icons.ts';
import type { DeskRun, DestinationView, ReportView, UndoView } from '../shapes.ts';
import { Confirm } from './confirm.tsx';
import type { Desk } from './desk.ts';
import { Facts, Fault } from './elements.tsx';
import { Key } from './key.tsx';
import { changedAnswers, isUnconfirmed, Sections, Unconfirmed, Verdict } from './report-parts.tsx';
import { stepHref } from './route.ts';
import { PlanButton, RunButton } from './run-button.tsx';
import { read } from './send.ts';
import { SaveReport, SignOff } from './sign-off.tsx';

type Report = NonNullable<ReportView['report']>;

/** The last step: the migration itself. */
export function Go({ desk }: { readonly desk: Desk }) {
  const { version, run, runBefore } = desk.state;
  const destination = useAnswer(() => read('destination'), [version]);
  const { answer: plan, error: unread } = useAnswer(
    () => read('report', { of: 'plan', sections: 'totals arrivals lost' }),
    [version],
  );
  const view = destination.answer;
  const isChosen = view && view.kind !== 'none';
  return (
    <>
      <header class="step-head">
        <h1>Go</h1>
      </header>
      {destination.error && <Fault error={destination.error} />}
      {!view && !destination.error && <Empty>Looking…</Empty>}
      {view && (
        <p>
          {isChosen ? (
            <>
              To <bdi>{view.address}</bdi>
            </>
          ) : (
            'To the sandbox on this machine: rehearse instead'
          )}{' '}
          <a href={stepHref('source')}>Change</a>
        </p>
      )}
      {isChosen && <Key key={view.key.path} desk={desk} view={view} />}
      {isChosen && <Doctor desk={desk} view={view} />}
      {unread && <Fault error={unread} />}
      {plan?.error && <Fault error={plan.error} />}
      {plan && !plan.report && (
        <p class="notice">
          There is nothing to send yet: <a href={stepHref('rehearse')}>plan and rehearse</a> first
        </p>
      )}
      {plan?.report && !isUnconfirmed(plan.report) && (
        <>
          <h2>Signature</h2>
          {plan.isCurrent && <SignOff desk={desk} report={plan.report} version={plan.version} />}
          {!plan.isCurrent && !isChosen && <Changed desk={desk} />}
        </>
      )}
      {isChosen && plan?.report && (
        <>
          <Forecast report={plan.report} />
          {isUnconfirmed(plan.report) ? (
            <Unconfirmed />
          ) : plan.isCurrent ? (
            <Start desk={desk} view={view} report={plan.report} isOld={plan.version !== view.version} />
          ) : (
            <Changed desk={desk} />
          )}
          {run?.endedAtMs === null && <Stages stages={run.stages} />}
          {(hasSent(plan.report) || (runBefore ?? run)?.undo) && (
            <Arrived desk={desk} plan={plan} report={plan.report} />
          )}
        </>
      )}
      {plan?.report && <SaveReport />}
    </>
  );
}

const Changed = ({ desk }: { readonly desk: Desk }) => (
  <div class="notice">
    {changedAnswers}. <PlanButton desk={desk} isMain />
  </div>
);

const hasSent = ({ totals, arrivals }: Report): boolean =>
  [totals, ...Object.values(arrivals?.kinds ?? {})].some(({ planned, pending }) => planned > pending);

/** People, groups and members that are still to be imported, those of none left out. */
const waitingArrivals = ({ arrivals }: Report): readonly (readonly [kind: string, count: number])[] =>
  Object.entries(arrivals?.kinds ?? {}).flatMap(([kind, { pending }]) => (pending > 0 ? [[kind, pending]] : []));

type Finding = DeskRun['findings'][number];

const marks: Readonly<Record<Finding['level'], IconName>> = {
  ok: 'check',
  warning: 'warning',
  error: 'close',
};

const levels = ['error', 'warning', 'ok'];

/** What has to be looked at comes first. */
const byLevel = (a: Finding, b: Finding): number => levels.indexOf(a.level) - levels.indexOf(b.level);

/** Findings of `doctor`, which sends the key to the destination. */
function Doctor({ desk, view }: { readonly desk: Desk; readonly view: DestinationView }) {
  const { run, runBefore } = desk.state;
  const findings = (runBefore ?? run)?.findings ?? [];
  return (
    <>
      <h2>Check</h2>
      <Confirm
        label="Check the destination"
        needsAsking={!view.isKnownAddress}
        question="The key is sent to this address for the first time"
        yes="Send it and check"
        isBusy={run?.endedAtMs === null}
        onYes={() => desk.write('run', { kind: 'doctor' })}
      />
      <ul class="findings">
        {findings.toSorted(byLevel).map(({ level, name, says, todo }) => (
          <li key={name} class={level}>
            <span class="step-mark" aria-hidden="true">
              <Icon name={marks[level]} />
            </span>
            <span>
              <b>
                <span class="unseen">{level}: </span>
                <bdi>{name}</bdi>
              </b>{' '}
              <bdi>{says}</bdi>
              {todo !== null && (
                <span class="soft todo" dir="auto">
                  {todo}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const kindNames: Readonly<Record<string, string>> = { people: 'People', groups: 'Groups', members: 'Members' };

/** Requests and time of the import, at the rate of the destination and at faster ones. */
function Forecast({ report }: { readonly report: Report }) {
  const { requests, reads, minutes, endAtMs, faster } = report.forecast;
  if (requests === 0) return null;
  return (
    <>
      <h2>Forecast</h2>
      <Facts
        rows={[
          ['Messages to send', formatCount(report.totals.pending)],
          ...waitingArrivals(report).map(
            ([name, count]) => [`${kindNames[name]} to import`, formatCount(count)] as const,
          ),
          ['Requests', `${formatCount(requests)} to send, ${formatCount(reads)} to read back`],
          ...(minutes === null
            ? [['Time', 'not known: the rate of this destination is not'] as const]
            : [['Time', formatDuration(minutes * 60_000)] as const]),
          ...(endAtMs === null ? [] : [['Ends, if it starts now', formatMoment(endAtMs / 1000)] as const]),
          ...faster.map(
            ({ ratePerMinute, minutes: at }) =>
              [`At ${formatCount(ratePerMinute)} requests a minute`, formatDuration(at * 60_000)] as const,
          ),
        ]}
      />
    </>
  );
}

interface StartProps {
  readonly desk: Desk;
  readonly view: DestinationView;
  readonly report: Report;
  /** Whether one of the two is being read again. */
  readonly isOld: boolean;
}

function Start({ desk, view, report, isOld }: StartProps) {
  const { run } = desk.state;
  const isBusy = run?.endedAtMs === null;
  const { pending } = report.totals;
  const sent = [
    ...waitingArrivals(report).map(([name, count]) => `${formatCount(count)} ${name}`),
    countOf(pending, 'message'),
  ];
  const isAgain = hasSent(report) && sent.length === 1 && pending === 0;
  const question = `${sent.join(', ')} to ${view.address}. ${view.isKnownAddress ? '' : 'The key is sent there for the first time.'}`;
  return (
    <>
      <h2>Import</h2>
      {report.signedOff?.isCurrent !== true && <p class="notice">Nobody has signed off this plan</p>}
      {view.key.from === 'none' && <p class="notice">There is no key yet</p>}
      <Confirm
        label={isAgain ? 'Import again' : 'Start'}
        needsAsking
        isMain={!isAgain}
        question={question}
        yes="Start the import"
        isBusy={isBusy || isOld || view.key.from === 'none'}
        onYes={() => desk.write('run', { kind: 'import' }, view.version)}
      />
    </>
  );
}

/** Deletions at the destination, and conversations that stay. */
function Undone({ undo }: { readonly undo: UndoView }) {
  const { isDry, conversations, messages, members, people, requests, left } = undo;
  const sums = [
    `${countOf(conversations, 'conversation')} with ${countOf(messages, 'message')}`,
    ...(members > 0 ? [countOf(members, 'member')] : []),
    ...(people > 0 ? [countOf(people, 'person', 'people')] : []),
  ];
  return (
    <div class="item" role="status">
      <p>
        <b>
          {isDry ? 'Would be taken back' : 'Taken back'}: {sums.join(', ')}
        </b>
      </p>
      <ul class="problems">
        {requests.map(({ request, name, messages: count }) => (
          <li key={request}>
            <code dir="auto">{request}</code> <bdi>{name}</bdi>{' '}
            {count > 0 && <span class="soft">{countOf(count, 'message')}</span>}
          </li>
        ))}
        {left.map(({ count, explanation }) => (
          <li key={explanation}>
            Stays: {formatCount(count)} <bdi class="soft">{explanation}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ArrivedProps {
  readonly desk: Desk;
  readonly plan: ReportView;
  readonly report: Report;
}

/** The closing verdict, and the ways on. */
function Arrived({ desk, plan, report }: ArrivedProps) {
  const { run, runBefore } = desk.state;
  const undo = (runBefore ?? run)?.undo ?? null;
  return (
    <section aria-label="Result">
      <h2>Result</h2>
      <Verdict view={plan} />
      <Sections view={plan} />
      <p class="filters">
        <RunButton desk={desk} run={{ kind: 'verify' }} label="Verify" />
        {report.verify && <RunButton desk={desk} run={{ kind: 'verify', repair: true }} label="Verify and repair" />}
      </p>
      {report.totals.failed > 0 && (
        <p class="soft">The terminal writes them to a file to correct, or sends them again: the commands are below.</p>
      )}
      <h2>Take back</h2>
      <p class="soft">
        Deletes the messages, groups and members that this program made there, deactivates its people, and leaves
        everything else.
      </p>
      <p class="filters">
        <RunButton desk={desk} run={{ kind: 'undo', isDry: true }} label="Show what would be taken back" />
      </p>
      {undo && <Undone undo={undo} />}
      {undo?.isDry && (
        <Confirm
          label="Take it back"
          needsAsking
          question="Everything that is listed above is taken back at the destination"
          yes="Take it back there"
          isBusy={false}
          onYes={() => desk.write('run', { kind: 'undo' }, plan.version)}
        />
      )}
    </section>
  );
}
