import { confirmedDigest } from '../../decisions/decision.ts';
import type { SeenCard } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Facts, Fault } from './elements.tsx';
import { Preview } from './preview.tsx';
import { asName } from './name.ts';
import { stepHref } from './route.ts';
import { useDeed } from './use-deed.ts';

export function Reading({ desk, card }: { readonly desk: Desk; readonly card: SeenCard }) {
  const { error, act } = useDeed();
  const confirm = async () => {
    if (!asName(desk)) return;
    await desk.write('run', { kind: 'plan', confirmReading: confirmedDigest(card), by: desk.by }, card.version);
    location.hash = stepHref('decide');
  };
  return (
    <>
      <div class="question">
        <h2 dir="auto">{card.question}</h2>
        <p dir="auto">{card.why}</p>
        <Facts rows={card.examples.map(readLine)} />
        <p class="soft">
          Nothing is sent before you have confirmed it. If something is wrong, answer the other decisions and plan
          again.
        </p>
        {error && <Fault error={error} />}
        <p class="decide-bar">
          <button
            type="button"
            class="main"
            disabled={desk.state.run?.endedAtMs === null}
            onClick={() => void act(confirm)}
          >
            Yes, this is my data
          </button>
        </p>
      </div>
      <Preview key={card.version} card={card} chosen={undefined} text="" />
    </>
  );
}

/** A line of the picture. */
function readLine(line: string) {
  const [heading = '', ...text] = line.split(' | ');
  return [heading, <bdi>{text.join(' | ')}</bdi>] as const;
}
