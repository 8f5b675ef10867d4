import { describeUndecided, formatAbout } from '../../decisions/decision.ts';
import { formatCount, useAnswer } from '../../viewer/page/door.tsx';
import type { Card, ReportView } from '../shapes.ts';
import { Icon } from '../../web/page/icon.tsx';
import { messageHref, stepHref } from './route.ts';
import { read } from './send.ts';

type Report = NonNullable<ReportView['report']>;

/** Why a plan is not the one that an import would send. */
export const changedAnswers = 'The answers have changed since this plan';

/** Whether nothing is sent before a person has confirmed how the rows are read. */
export const isUnconfirmed = ({ reading }: Report): boolean => (reading?.stops.length ?? 0) > 0;

export const Unconfirmed = () => (
  <p class="notice">
    Nothing is sent before you have confirmed how the rows are read:{' '}
    <a href={stepHref('decide', 'reading')}>Is this your data?</a>
  </p>
);

/** The one sentence of a report. */
export const Verdict = ({ view: { verdict, tone } }: { readonly view: ReportView }) => (
  <p class={`verdict is-${tone ?? 'plain'}`}>
    {tone !== null && tone !== 'plain' && <Icon name={verdictMarks[tone]} />}
    <bdi>{verdict}</bdi>
  </p>
);

const verdictMarks = { good: 'check', notice: 'note', bad: 'warning' } as const;

/** The rows of the export and what became of them, both sums; then those of people, groups and members. */
export const Totals = ({ view: { report, notes } }: { readonly view: ReportView }) => (
  <>
    <Sums totals={report!.totals} />
    {report!.arrivals && <Arrivals arrivals={report!.arrivals} notes={notes} />}
  </>
);

interface ArrivalsProps extends Pick<ReportView, 'notes'> {
  readonly arrivals: NonNullable<Report['arrivals']>;
}

const Arrivals = ({ arrivals: { kinds, skipped, invalid, failed }, notes }: ArrivalsProps) => (
  <section aria-labelledby="arrivals">
    <h2 id="arrivals">People and groups</h2>
    {Object.entries(kinds).map(([kind, counts]) => (
      <section key={kind} class="arrivals" aria-label={kindNames[kind]}>
        <h3>{kindNames[kind]}</h3>
        <div>
          <Sums totals={counts} />
          <Reasons
            reasons={[
              ...[...skipped, ...invalid].filter((one) => one.kind === kind),
              { reason: 'imported before, and not in the plan any more', count: counts.withdrawn },
              { reason: 'imported, and changed in the export since', count: counts.changed },
            ]}
          />
          {failed
            .filter((one) => one.kind === kind)
            .map(({ code, count, explanation, detail }) => (
              <p key={code} class="waiting">
                {formatCount(count)} failed: <bdi>{explanation || code}</bdi> <bdi class="soft">{detail}</bdi>
              </p>
            ))}
        </div>
      </section>
    ))}
    {notes.map((note) => (
      <p key={note} class="soft">
        {note}.
      </p>
    ))}
  </section>
);

export const kindNames: Readonly<Record<string, string>> = { people: 'People', groups: 'Groups', members: 'Members' };

/** `left the group: 3 · named twice: 2`; those of none are left out. */
function Reasons({ reasons }: { readonly reasons: readonly { readonly reason: string; readonly count: number }[] }) {
  const shown = reasons.filter(({ count }) => count > 0);
  return (
    shown.length > 0 && (
      <p class="soft">{shown.map(({ reason, count }) => `${reason}: ${formatCount(count)}`).join(' · ')}</p>
    )
  );
}

function Sums({ totals }: { readonly totals: Omit<Report['totals'], 'duplicates' | 'late'> }) {
  const { read, planned, skipped, invalid, imported, existing, failed, pending, unconfirmed } = totals;
  return (
    <div class="sums">
      <Sum
        whole={['read', read]}
        parts={[
          ['planned', planned],
          ['skipped', skipped],
          ['invalid', invalid],
        ]}
      />
      {planned > 0 && (
        <Sum
          whole={['planned', planned]}
          parts={[
            ['imported', imported],
            ['existing', existing],
            ['failed', failed],
            ['pending', pending],
            ['unconfirmed', unconfirmed],
          ]}
        />
      )}
    </div>
  );
}

type Count = readonly [name: string, count: number];

/** A count and those that it is the sum of; parts of none are left out. */
function Sum({ whole, parts }: { readonly whole: Count; readonly parts: readonly Count[] }) {
  const shown = parts.filter(([, count]) => count > 0);
  return (
    <p class="sum">
      <Figure count={whole} />
      {shown.map((part, index) => (
        <span key={part[0]} class="addend">
          <span class="plus">{index === 0 ? '=' : '+'}</span>
          <Figure count={part} />
        </span>
      ))}
    </p>
  );
}

const Figure = ({ count: [name, count] }: { readonly count: Count }) => (
  <span class={`figure ${name}`}>
    <b>{formatCount(count)}</b> <span class="soft">{name}</span>
  </span>
);

interface LossesProps {
  readonly report: Report;
  /** Whether messages can be looked at. */
  readonly hasChats: boolean;
}

/** Features that the service cannot hold, with an example of each. */
export function NotMigrated({ report: { losses }, hasChats }: LossesProps) {
  if (losses.length === 0) return null;
  return (
    <>
      <h2>Not migrated</h2>
      <ul class="cards">
        {losses.map(({ name, count, what, becomes, example }) => (
          <li key={name} class="item">
            <p class="row-head">
              <b dir="auto">{name}</b>
              <span class="soft">{formatCount(count)}</span>
            </p>
            <p>
              <bdi>{what}</bdi> <span aria-hidden="true">→</span> <bdi>{becomes}</bdi>
            </p>
            {example !== undefined && <Example place={example} hasChats={hasChats} />}
          </li>
        ))}
      </ul>
    </>
  );
}

const Example = ({ place, hasChats }: { readonly place: string; readonly hasChats: boolean }) => (
  <p class="soft place">
    {hasChats ? (
      <a href={messageHref(place)}>
        Example: <bdi>{place}</bdi>
      </a>
    ) : (
      <bdi>{place}</bdi>
    )}
  </p>
);

const groupNames = { invalid: 'Invalid rows', skipped: 'Skipped by a rule', failed: 'Failed messages' } as const;

/** Rows that become no message, by the reason. */
export function Groups({ report, of }: { readonly report: Report; readonly of: keyof typeof groupNames }) {
  const groups = report[of];
  if (groups.length === 0) return null;
  return (
    <>
      <h2>{groupNames[of]}</h2>
      <ul class="cards">
        {groups.map(({ code, title, count, explanation, remedy, examples }) => (
          <li key={code} class="item">
            <p class="row-head">
              <b dir="auto">{title}</b>
              <span class="soft">{formatCount(count)}</span>
            </p>
            {explanation !== '' && (
              <p>
                <bdi>{explanation}</bdi> <bdi>{remedy}</bdi>
              </p>
            )}
            {examples.length > 0 && (
              <details>
                <summary>Examples</summary>
                <ul class="problems">
                  {examples.map(({ location, detail }, index) => (
                    <li key={index}>
                      <bdi class="soft">{location}</bdi> <bdi>{detail}</bdi>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

interface ChoicesProps {
  readonly version: string;
  readonly of?: Card['about']['of'];
}

/** Links to open decisions that most do without. @param of Those about something else are left out. */
export function Choices({ version, of }: ChoicesProps) {
  const { answer: cards } = useAnswer(() => read('cards'), [version]);
  const undecided =
    cards?.rows.filter(
      ({ isOptional, takesSeveral, answer, about }) =>
        isOptional && !takesSeveral && answer === null && (of ?? about.of) === about.of,
    ) ?? [];
  return undecided.map(({ id, question, about, ifUndecided }) => (
    <p key={id} class="soft">
      <a href={stepHref('decide', id)}>{question}</a> {formatAbout(about)}: {describeUndecided({ ifUndecided })} unless
      you decide otherwise.
    </p>
  ));
}
