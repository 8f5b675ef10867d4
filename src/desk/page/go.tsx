import { countOf, Empty, formatCount, Stages, useAnswer } from '../../viewer/page/door.tsx';
import { Icon } from '../../web/page/icon.tsx';
import type { DeskRun, DestinationView, ReportView, UndoView } from '../shapes.ts';
import { BeforeYouSend, KeyItem, listWaiting } from './before-you-send.tsx';
import { Confirm } from './confirm.tsx';
import type { Desk } from './desk.ts';
import { Fault, Item } from './elements.tsx';
import { isUnconfirmed, type Report, Sections, Verdict } from './report-parts.tsx';
import { chatsHref, stepHref } from './route.ts';
import { RunButton } from './run-button.tsx';
import { read } from './send.ts';
import { SaveReport } from './sign-off.tsx';

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
  const report = plan?.report;
  const isSent = isChosen && report && (hasSent(report) || (runBefore ?? run)?.undo);
  return (
    <>
      <header class="step-head">
        <h1>Go</h1>
      </header>
      {destination.error && <Fault error={destination.error} />}
      {unread && <Fault error={unread} />}
      {plan?.error && <Fault error={plan.error} />}
      {!view && !destination.error && <Empty>Looking…</Empty>}
      {plan && !report && (
        <p class="notice">
          There is nothing to send yet: <a href={stepHref('rehearse')}>plan and rehearse</a> first
        </p>
      )}
      {isChosen && plan && !report && (
        <>
          <ul class="findings before">
            <KeyItem desk={desk} view={view} />
          </ul>
          <Doctor desk={desk} view={view} />
        </>
      )}
      {run?.endedAtMs === null && <Stages stages={run.stages} />}
      {isSent && <Arrived desk={desk} plan={plan} report={report} />}
      {view && report && <BeforeYouSend {...{ desk, view, plan, report }} />}
      {isChosen && report && (
        <>
          <Doctor desk={desk} view={view} />
          {plan.isCurrent && !isUnconfirmed(report) && (
            <Start desk={desk} view={view} report={report} isOld={plan.version !== view.version} />
          )}
        </>
      )}
      {isSent && <TakeBack desk={desk} plan={plan} />}
      {report && <SaveReport />}
    </>
  );
}

const hasSent = ({ totals, arrivals }: Report): boolean =>
  [totals, ...Object.values(arrivals?.kinds ?? {})].some(({ planned, pending }) => planned > pending);

type Finding = DeskRun['findings'][number];

const levels = ['error', 'warning', 'ok'];

/** What has to be looked at comes first. */
const byLevel = (a: Finding, b: Finding): number => levels.indexOf(a.level) - levels.indexOf(b.level);

/** Findings of `doctor`, which sends the key to the destination. */
function Doctor({ desk, view }: { readonly desk: Desk; readonly view: DestinationView }) {
  const { run, runBefore } = desk.state;
  const findings = (runBefore ?? run)?.findings ?? [];
  return (
    <>
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
          <Item key={name} level={level} title={<bdi>{name}</bdi>}>
            <bdi>{says}</bdi>
            {todo !== null && (
              <span class="soft todo" dir="auto">
                {todo}
              </span>
            )}
          </Item>
        ))}
      </ul>
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
  const sent = listWaiting(report);
  const isAgain = hasSent(report) && sent.length === 1 && report.totals.pending === 0;
  const question = `${sent.join(', ')} to ${view.address}. ${view.isKnownAddress ? '' : 'The key is sent there for the first time.'}`;
  return (
    <Confirm
      label={isAgain ? 'Import again' : 'Start'}
      needsAsking
      isMain={!isAgain}
      question={question}
      yes="Start the import"
      isBusy={isBusy || isOld || view.key.from === 'none'}
      onYes={() => desk.write('run', { kind: 'import' }, view.version)}
    />
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
const Arrived = ({ desk, plan, report }: ArrivedProps) => (
  <section aria-label="Result">
    <Verdict view={plan} />
    <p class="filters">
      {desk.state.chats !== null && (
        <a class="button" href={chatsHref}>
          <Icon name="chats" /> Open the chats{desk.state.chats === 'rehearsal' && ' of the rehearsal'}
        </a>
      )}
      <RunButton desk={desk} run={{ kind: 'verify' }} label="Verify" />
      {report.verify && <RunButton desk={desk} run={{ kind: 'verify', repair: true }} label="Verify and repair" />}
    </p>
    <Sections view={plan} />
    {report.totals.failed > 0 && (
      <p class="soft">The terminal writes them to a file to correct, or sends them again: the commands are below.</p>
    )}
  </section>
);

/** Deletes what was imported, once it was shown. */
function TakeBack({ desk, plan }: Omit<ArrivedProps, 'report'>) {
  const { run, runBefore } = desk.state;
  const undo = (runBefore ?? run)?.undo ?? null;
  return (
    <section aria-label="Undo">
      <h2>Undo</h2>
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
