import { useState } from 'preact/hooks';
import { Empty, formatMoment, useAnswer } from '../../viewer/page/door.tsx';
import type { ReportView } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault, submitting } from './elements.tsx';
import { asName } from './name.ts';
import {
  changedAnswers,
  Decisions,
  Groups,
  isUnconfirmed,
  NotMigrated,
  Totals,
  Unconfirmed,
  Verdict,
} from './report-parts.tsx';
import { stepHref } from './route.ts';
import { PlanButton } from './run-button.tsx';
import { dataPath, read } from './send.ts';
import { useDeed } from './use-deed.ts';

/** The fifth step: the report in short, and the name of who agrees to it. */
export function SignOff({ desk }: { readonly desk: Desk }) {
  const { answer: plan, error } = useAnswer(() => read('report', { of: 'plan' }), [desk.state.version]);
  const { answer: rehearsal } = useAnswer(() => read('report', { of: 'rehearsal' }), [desk.state.version]);
  return (
    <>
      <header class="step-head">
        <h1>Sign off</h1>
      </header>
      {error && <Fault error={error} />}
      {!plan && !error && <Empty>Reading the report…</Empty>}
      {plan?.error && <Fault error={plan.error} />}
      {plan && !plan.report && (
        <div class="notice">
          There is no report yet: it comes with a plan. <PlanButton desk={desk} isMain />
        </div>
      )}
      {plan?.report && (
        <>
          <Signed report={plan.report} />
          {!plan.isCurrent && (
            <div class="notice">
              {changedAnswers}. <PlanButton desk={desk} isMain />
            </div>
          )}
          {!rehearsal?.report && (
            <p class="notice">
              Nothing was <a href={stepHref('rehearse')}>rehearsed</a> yet
            </p>
          )}
          <Verdict view={rehearsal?.report && rehearsal.isCurrent ? rehearsal : plan} />
          <Totals view={plan} />
          <NotMigrated report={plan.report} hasChats={desk.state.chats !== null} />
          <Groups report={plan.report} of="invalid" />
          <Decisions report={plan.report} />
          {isUnconfirmed(plan.report) ? (
            <Unconfirmed />
          ) : (
            plan.isCurrent && <SignForm desk={desk} version={plan.version} />
          )}
          <Save />
        </>
      )}
    </>
  );
}

function Signed({ report: { signedOff } }: { readonly report: NonNullable<ReportView['report']> }) {
  if (!signedOff) return null;
  const { by, atMs, note, isCurrent } = signedOff;
  return (
    <div class={isCurrent ? 'signed' : 'notice'} role="status">
      {isCurrent ? (
        <>
          <b>
            Signed off by <bdi>{by}</bdi>
          </b>
          , {formatMoment(atMs / 1000)}
        </>
      ) : (
        <>
          The plan changed since <bdi>{by}</bdi> signed it off, {formatMoment(atMs / 1000)}
        </>
      )}
      {note !== '' && (
        <p class="plain" dir="auto">
          {note}
        </p>
      )}
    </div>
  );
}

function SignForm({ desk, version }: { readonly desk: Desk; readonly version: string }) {
  const [note, setNote] = useState('');
  const { error, act } = useDeed();
  const sign = async () => {
    if (!asName(desk)) return;
    await desk.write('sign-off', { by: desk.by, note: note.trim() }, version);
    setNote('');
    document.getElementById('main')?.scrollTo(0, 0);
  };
  return (
    <form class="sign" onSubmit={submitting(() => act(sign))}>
      <h2>Agree to this plan</h2>
      <label class="field">
        Note
        <textarea
          rows={3}
          maxLength={1_000}
          placeholder="For whoever reads the report; may be empty"
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      {error && <Fault error={error} />}
      <p class="filters">
        <button type="submit" class="main">
          Sign off{desk.by === '' ? '' : ' as '}
          <bdi>{desk.by}</bdi>
        </button>
      </p>
    </form>
  );
}

const Save = () => (
  <>
    <h2>Save the report</h2>
    <p class="soft">One file to mail or to keep; it opens without a network.</p>
    <p class="filters">
      <a class="button" href={`${dataPath('report.html')}?anonymous=1`} download>
        Without personal data
      </a>
      <a class="button" href={`${dataPath('report.html')}?anonymous=0`} download>
        With names and examples
      </a>
    </p>
  </>
);
