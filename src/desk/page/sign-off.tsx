import { useState } from 'preact/hooks';
import { formatMoment } from '../../viewer/page/door.tsx';
import { Icon } from '../../web/page/icon.tsx';
import type { ReportView } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault, submitting } from './elements.tsx';
import { asName } from './name.ts';
import { dataPath } from './send.ts';
import { useDeed } from './use-deed.ts';

interface SignOffProps {
  readonly desk: Desk;
  readonly report: NonNullable<ReportView['report']>;
  /** Version of the report that is shown. */
  readonly version: string;
}

/** Who agreed to the plan, or the form to agree to it. */
export function SignOff({ desk, report: { signedOff }, version }: SignOffProps) {
  return (
    <>
      {signedOff && <Signed signedOff={signedOff} />}
      {signedOff?.isCurrent ? null : <SignForm desk={desk} version={version} />}
    </>
  );
}

function Signed({
  signedOff: { by, atMs, note, isCurrent },
}: {
  readonly signedOff: NonNullable<SignOffProps['report']['signedOff']>;
}) {
  return (
    <div class={isCurrent ? 'signed' : 'notice'} role="status">
      {isCurrent ? (
        <>
          <Icon name="check" />{' '}
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

function SignForm({ desk, version }: Omit<SignOffProps, 'report'>) {
  const [note, setNote] = useState('');
  const { error, act } = useDeed();
  const sign = async () => {
    if (!asName(desk)) return;
    await desk.write('sign-off', { by: desk.by, note: note.trim() }, version);
    setNote('');
  };
  return (
    <form class="sign" onSubmit={submitting(() => act(sign))}>
      <label class="field">
        Note
        <textarea
          rows={2}
          maxLength={1_000}
          placeholder="For whoever reads the report; may be empty"
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
      </label>
      {error && <Fault error={error} />}
      <p class="filters">
        <button type="submit">
          Sign off{desk.by === '' ? '' : ' as '}
          <bdi>{desk.by}</bdi>
        </button>
      </p>
    </form>
  );
}

export const SaveReport = () => (
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
