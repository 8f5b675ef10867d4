import { useEffect, useState } from 'preact/hooks';
import { Empty, formatCount, formatMoment, useAnswer } from '../../viewer/page/door.tsx';
import type { Affected, Answered, Card, CardAnswer, CardPage, SeenCard } from '../shapes.ts';
import { formatAmount } from './amount.ts';
import type { Desk } from './desk.ts';
import { Fault, submitting } from './elements.tsx';
import { asName } from './name.ts';
import { Preview } from './preview.tsx';
import { stepHref } from './route.ts';
import { read } from './send.ts';

interface CardProps {
  readonly desk: Desk;
  readonly id: string;
  readonly page: CardPage;
  /** Called when an answer was written, or taken back. */
  readonly onAnswered: (answered: Answered) => void;
}

/** One decision, with what speaks for each answer and what messages become under it. */
export function CardView({ desk, id, page, onAnswered }: CardProps) {
  const { answer: card, error } = useAnswer(() => read('card', { id }), [id, desk.state.version]);
  return (
    <article class="decision" aria-label="Decision" aria-busy={!card && !error}>
      <a class="back" href={stepHref('decide')}>
        ← All decisions
      </a>
      {error && <Fault error={error} />}
      {!card && !error && <Empty>Looking at the rows…</Empty>}
      {card && <Decision desk={desk} card={card} page={page} onAnswered={onAnswered} />}
    </article>
  );
}

/** Chosen answers by position; a text of the user's own instead. */
interface Choice {
  readonly answers: readonly number[];
  readonly isOwn: boolean;
  readonly text: string;
}

function firstChoice({ answers, decided, takesText }: Card): Choice {
  const proposed = answers.findIndex(({ isProposed }) => isProposed);
  const chosen = decided?.answer ?? (proposed === -1 ? undefined : proposed);
  const isOwn = takesText && ((decided !== null && decided.answer === null) || answers.length === 0);
  return { answers: isOwn || chosen === undefined ? [] : [chosen], isOwn, text: isOwn ? (decided?.value ?? '') : '' };
}

function Decision({ desk, card, page, onAnswered }: Omit<CardProps, 'id'> & { readonly card: SeenCard }) {
  const [choice, setChoice] = useState(() => firstChoice(card));
  // What was chosen, and not written yet, stays while other things change.
  useEffect(() => setChoice(firstChoice(card)), [JSON.stringify([card.answers, card.decided])]);
  const [state, setState] = useState<{ readonly error?: Error; readonly isSending?: boolean }>({});
  const canSend = choice.isOwn ? choice.text.trim() !== '' : choice.answers.length > 0;
  const decide = async () => {
    if (!asName(desk) || !canSend) return;
    setState({ isSending: true });
    const { answers, isOwn, text } = choice;
    try {
      const given = { answers: isOwn ? [] : answers, ...(isOwn && { text: text.trim() }) };
      const answered = await desk.write('answer', { card: card.id, ...given, by: desk.by }, card.version);
      setState({});
      onAnswered(answered);
      const { next } = answered;
      location.hash = next === null ? stepHref('decide') : stepHref('decide', next);
    } catch (error) {
      setState({ error: error as Error });
    }
  };
  const undo = () => desk.write('undo', {}, page.version).then(onAnswered, (error: Error) => setState({ error }));
  return (
    <form onSubmit={submitting(decide)}>
      <h2>
        <bdi>{card.title}</bdi>
      </h2>
      <About card={card} />
      <fieldset class="answers">
        <legend>{card.takesSeveral ? 'Answers' : 'Your answer'}</legend>
        {card.answers.map((answer, index) => (
          <Answer key={index} card={card} index={index} answer={answer} choice={choice} onChoice={setChoice} />
        ))}
        {card.takesText && <OwnAnswer card={card} choice={choice} onChoice={setChoice} />}
      </fieldset>
      <Preview
        key={desk.state.version}
        card={card}
        chosen={choice.isOwn ? undefined : choice.answers.at(-1)}
        text={choice.isOwn ? choice.text.trim() : ''}
      />
      {state.error && <Fault error={state.error} />}
      <p class="decide-bar">
        <button type="submit" class="main" disabled={!canSend || state.isSending}>
          {state.isSending ? 'Writing…' : card.decided ? 'Decide again' : 'Decide'}
        </button>
        {page.undo !== null && (
          <button type="button" onClick={() => void undo()}>
            Undo <bdi class="soft">{page.undo}</bdi>
          </button>
        )}
      </p>
    </form>
  );
}

/** Evidence, affected messages, and the decision that was made. */
function About({ card }: { readonly card: Card }) {
  const { because, evidence, affects, otherwise, decided } = card;
  return (
    <>
      {because !== '' && (
        <p>
          <bdi>{because}</bdi>
        </p>
      )}
      <p class="affects">
        <Affects affects={affects} />
      </p>
      {evidence.length > 0 && (
        <details>
          <summary>Evidence</summary>
          <ul class="evidence">
            {evidence.map((line, index) => (
              <li key={index}>
                <bdi>{line}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
      {decided && (
        <p class={decided.holds ? 'decided' : 'notice'}>
          {decided.holds ? 'Decided' : 'Decided, and changed since in the mapping'}:{' '}
          <b>
            <bdi>{decided.value}</bdi>
          </b>{' '}
          <span class="soft">
            by <bdi>{decided.by ?? 'nobody named'}</bdi>
            {decided.atMs === null ? '' : `, ${formatMoment(decided.atMs / 1000)}`}
          </span>
        </p>
      )}
      {!decided && otherwise !== '' && (
        <p class="soft">
          If nothing is decided: <bdi>{otherwise}</bdi>
        </p>
      )}
    </>
  );
}

function Affects({ affects }: { readonly affects: Affected }) {
  const { count, of, isAll, found } = affects;
  if (count === null && !isAll) return <>How many {of} it affects is not known</>;
  if (count === null)
    return (
      <>
        Affects <b>all {of}</b>: how many is known once they are counted
      </>
    );
  return (
    <>
      Affects{' '}
      <b>
        {isAll && count > 1 ? 'all ' : ''}
        {formatAmount(affects)}
      </b>
      {found && (
        <span class="soft">
          {' '}
          · {formatCount(found.count)} {found.name} in the last plan
        </span>
      )}
    </>
  );
}

interface AnswerProps {
  readonly card: Card;
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
}

interface OneAnswerProps extends AnswerProps {
  readonly index: number;
  readonly answer: CardAnswer;
}

function Answer({ card, index, answer, choice, onChoice }: OneAnswerProps) {
  const { label, because, sets, isProposed, isLastResort } = answer;
  const isChosen = !choice.isOwn && choice.answers.includes(index);
  // The value is shown below: as a heading, words say more.
  const isYaml = label.startsWith('{') && because !== '';
  const choose = () => {
    const others = choice.answers.filter((one) => one !== index);
    const answers = card.takesSeveral ? (isChosen ? others : [...others, index]) : [index];
    onChoice({ ...choice, answers, isOwn: false });
  };
  return (
    <label class={isChosen ? 'answer chosen' : 'answer'}>
      <input type={card.takesSeveral ? 'checkbox' : 'radio'} name="answer" checked={isChosen} onChange={choose} />
      <span class="answer-words">
        <b>
          <bdi>{isYaml ? because : label}</bdi>
          {isProposed && <span class="tag">proposed</span>}
          {isLastResort && <span class="tag">last resort</span>}
        </b>
        {because !== '' && !isYaml && (
          <span class="soft">
            <bdi>{because}</bdi>
          </span>
        )}
        {sets.length === 0 && <span class="soft">Nothing changes; the decision is recorded with your name.</span>}
        {sets.map(({ key, value }) => (
          <code key={key}>
            <bdi>
              {key}: {value}
            </bdi>
          </code>
        ))}
      </span>
    </label>
  );
}

const zoneKey = 'source.zone';

/** Names of time zones to choose from, that of this computer first. */
function Zones() {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== own);
  return (
    <datalist id="zones">
      {[own, ...others].map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  );
}

function OwnAnswer({ card, choice, onChoice }: AnswerProps) {
  const choose = (text: string) => onChoice({ answers: [], isOwn: true, text });
  const label = card.textLabel ?? 'Something else';
  return (
    <div class={choice.isOwn ? 'answer chosen' : 'answer'}>
      <input
        type="radio"
        name="answer"
        id="own"
        checked={choice.isOwn}
        onChange={() => choose(choice.text)}
        aria-label={label}
      />
      <span class="answer-words">
        <label for="own-text">
          <b>
            <bdi>{label}</bdi>
          </b>
        </label>
        <input
          id="own-text"
          type="text"
          placeholder={card.key === null ? 'In your own words' : `Value of ${card.key}`}
          list={card.key === zoneKey ? 'zones' : undefined}
          value={choice.text}
          onInput={(event) => choose(event.currentTarget.value)}
        />
        {card.key === zoneKey && <Zones />}
      </span>
    </div>
  );
}
