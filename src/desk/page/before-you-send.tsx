import { formatDuration } from '../../lib/text/quantity.ts';
import { countOf, formatCount, formatMoment } from '../../viewer/page/door.tsx';
import type { DestinationView, ReportView } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Facts, Item } from './elements.tsx';
import { Files } from './files.tsx';
import { Key } from './key.tsx';
import { changedAnswers, isUnconfirmed, type Report, Unconfirmed } from './report-parts.tsx';
import { stepHref } from './route.ts';
import { PlanButton } from './run-button.tsx';
import { SignOff } from './sign-off.tsx';

interface BeforeProps {
  readonly desk: Desk;
  readonly view: DestinationView;
  readonly plan: ReportView;
  readonly report: Report;
}

/** `14 people`, `33 messages`: everything that is still to be sent; people, groups and members of none are left out. */
export const listWaiting = ({ arrivals, totals }: Report): readonly string[] => [
  ...Object.entries(arrivals?.kinds ?? {}).flatMap(([kind, { pending }]) =>
    pending > 0 ? [`${formatCount(pending)} ${kind}`] : [],
  ),
  countOf(totals.pending, 'message'),
];

/** Everything that a person should have seen before messages are sent. */
export const BeforeYouSend = ({ desk, view, plan, report }: BeforeProps) => (
  <>
    <h2>Before you send</h2>
    <ul class="findings before">
      {view.kind === 'none' ? (
        <Item level="error" title="The messages have no destination yet">
          <a href={stepHref('source')}>Choose where they go</a>
        </Item>
      ) : (
        <Item level="ok" title={<bdi>{view.address}</bdi>}>
          <a href={stepHref('source')}>Change</a>
        </Item>
      )}
      <Planned {...{ desk, view, plan, report }} />
      <Open desk={desk} />
      <Age view={view} report={report} />
      <HowLong view={view} report={report} />
      {view.kind !== 'none' && <KeyItem desk={desk} view={view} />}
      <Files desk={desk} report={report} />
      {plan.isCurrent && !isUnconfirmed(report) && (
        <Item
          level={report.signedOff?.isCurrent ? 'ok' : 'warning'}
          title={report.signedOff?.isCurrent ? 'Signed' : 'Nobody has signed this plan'}
        >
          <SignOff desk={desk} report={report} version={plan.version} />
        </Item>
      )}
    </ul>
  </>
);

export const KeyItem = ({ desk, view }: Pick<BeforeProps, 'desk' | 'view'>) => (
  <Item level={view.key.from === 'none' || view.key.fault !== null ? 'error' : 'ok'} title="Key">
    <Key key={view.key.path} desk={desk} view={view} />
  </Item>
);

/** Whether the plan is one that can be sent there. */
function Planned({ desk, view, plan, report }: BeforeProps) {
  if (isUnconfirmed(report))
    return (
      <Item level="error" title="The reading is not confirmed">
        <Unconfirmed />
      </Item>
    );
  const isElsewhere = isPlannedElsewhere(view, report);
  if (plan.isCurrent && !isElsewhere) return null;
  return (
    <Item
      level={plan.isCurrent ? 'warning' : 'error'}
      title={plan.isCurrent ? 'The plan was made for another destination' : changedAnswers}
    >
      <PlanButton desk={desk} isMain={!plan.isCurrent} />
    </Item>
  );
}

/** Limits of the destination are those of the plan: what it refuses is known only after a plan for it. */
const isPlannedElsewhere = ({ kind }: DestinationView, { destination, command }: Report): boolean =>
  kind === 'app' && command === 'plan' && destination?.profile !== 'hosted';

function Open({ desk }: Pick<BeforeProps, 'desk'>) {
  const step = desk.state.steps.find((one) => one.step === 'decide');
  if (step?.status !== 'open') return <Item level="ok" title="Everything is decided" />;
  return (
    <Item level="warning" title={step.note || 'Decisions are open'}>
      <a href={stepHref('decide')}>Decide</a>
    </Item>
  );
}

/** Messages that the destination refuses, or may refuse, because of their age. */
function Age({ view, report }: Pick<BeforeProps, 'view' | 'report'>) {
  const { invalid, oldMessages, totals } = report;
  const refused = invalid.find(({ code }) => code === 'too-old');
  const old = refused ?? oldMessages;
  if (old === undefined) return <Item level="ok" title="No message is older than the destination keeps" />;
  const all = refused ? totals.planned + totals.invalid : totals.planned;
  const isCertain = refused !== undefined || (view.kind === 'app' && view.retentionDays === '');
  return (
    <Item
      level={isCertain ? 'error' : 'warning'}
      title={`${formatCount(old.count)} of ${countOf(all, 'message')} ${isCertain ? 'are refused: they are too old' : `are older than ${oldMessages?.days} days`}`}
    >
      <a href={stepHref('conversations')}>Choose how far back</a>, or{' '}
      <a href={stepHref('source')}>say for how many days</a> your plan keeps messages.
    </Item>
  );
}

/** Requests a minute of the hosted service, if nobody says another rate. */
const hostedRate = 60;

function HowLong({ view, report }: Pick<BeforeProps, 'view' | 'report'>) {
  const { requests, reads, minutes, endAtMs, ratePerMinute, faster } = report.forecast;
  if (requests === 0) return null;
  // A plan for the sandbox has no rate, but the usual ones.
  const usual = faster.find(({ ratePerMinute: rate }) => rate === hostedRate);
  const time = minutes ?? usual?.minutes ?? null;
  const rate = minutes === null ? usual?.ratePerMinute : ratePerMinute;
  const others = faster.filter(({ ratePerMinute: at }) => at !== rate);
  return (
    <Item level="ok" title={listWaiting(report).join(', ')}>
      {time !== null && `About ${formatDuration(time * 60_000)}, with reading back.`}{' '}
      <span class="soft">
        {rate != null &&
          `At ${formatCount(rate)} requests a minute${minutes === null && view.kind !== 'app' ? ', if this destination takes as many' : ''}; `}
        {formatCount(requests)} requests to send, {formatCount(reads)} to read back
        {endAtMs !== null && `; ends ${formatMoment(endAtMs / 1000)}, if it starts now`}
      </span>
      {others.length > 0 && (
        <details>
          <summary>At other rates</summary>
          <Facts
            rows={others.map(
              ({ ratePerMinute: at, minutes: took }) =>
                [`${formatCount(at)} requests a minute`, formatDuration(took * 60_000)] as const,
            )}
          />
        </details>
      )}
    </Item>
  );
}
