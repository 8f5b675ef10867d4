import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../../web/page/icon.tsx';
import { describeUndecided, formatWeight } from '../../decisions/decision.ts';
import { Empty, formatCount, formatMoment, useAnswer } from '../../viewer/page/door.tsx';
import type { Answered, Card, CardPage, SeenCard } from '../shapes.ts';
import type { Desk } from './desk.ts';
import { Fault, submitting } from './elements.tsx';
import { asName } from './name.ts';
import { OwnAnswer, Zones, zoneKey } from './own-answer.tsx';
import { Preview } from './preview.tsx';
import { noteProposal } from './proposals.tsx';
import { Reading } from './reading.tsx';
import { stepHref } from './route.ts';
import { read } from './send.ts';
import { Terminal } from './terminal.tsx';
import { useDeed } from './use-deed.ts';

interface CardProps {
  readonly desk: Desk;
  readonly id: string;
  readonly page: CardPage;
  /** Called when an answer was written, or taken back. */
  readonly onAnswered: (answered: Answered) => void;
}

/** One decision, with what speaks for each answer and what messages become under it. */
export function CardView({ desk, id, page, onAnswered }: CardProps) {
  // By the version of the list: a card that a newer list lacks is not asked for again.
  const { answer: card, error } = useAnswer(() => read('card', { id }), [id, page.version]);
  useEffect(() => {
    if (!card) return;
    noteProposal(card);
    document.getElementById('main')?.scrollTo(0, 0);
  }, [card?.id]);
  return (
    <article
      class="decision with-chat"
      aria-label="Decision"
      aria-busy={!error && card !== null && card?.version !== page.version}
    >
      <a class="back" href={stepHref('decide')}>
        <Icon name="back" /> All decisions
      </a>
      {error && <Fault error={error} />}
      {card === undefined && !error && <Empty>Looking at the rows…</Empty>}
      {card === null && (
        <Empty>This is no longer asked: another answer has settled it, or the export has changed</Empty>
      )}
      {card?.id === 'reading' && <Reading desk={desk} card={card} />}
      {card && card.id !== 'reading' && <Decision desk={desk} card={card} page={page} onAnswered={onAnswered} />}
    </article>
  );
}

type Option = Card['options'][number];

/** Chosen options by position, and a value of the user's own: of the option that asks for it, or in place of any. */
interface Choice {
  readonly answers: readonly number[];
  readonly isOwn: boolean;
  readonly text: string;
}

const isAsking = ({ effect }: Option): boolean => 'asks' in effect;

function firstChoice({ options, answer, input }: Card): Choice {
  const proposed = options.findIndex(({ isProposed }) => isProposed);
  const chosen = answer?.option ?? (proposed === -1 ? undefined : proposed);
  const isOwn = input !== undefined && ((answer !== null && answer.option === null) || options.length === 0);
  const text = isOwn || (chosen !== undefined && isAsking(options[chosen]!)) ? (answer?.value ?? '') : '';
  return { answers: isOwn || chosen === undefined ? [] : [chosen], isOwn, text };
}

function Decision({ desk, card, page, onAnswered }: Omit<CardProps, 'id'> & { readonly card: SeenCard }) {
  const [choice, setChoice] = useState(() => firstChoice(card));
  // What was chosen, and not written yet, stays while other things change.
  useEffect(() => setChoice(firstChoice(card)), [JSON.stringify([card.options, card.answer])]);
  const { error, isBusy, act } = useDeed();
  const takesText = choice.isOwn || choice.answers.some((index) => isAsking(card.options[index]!));
  const text = takesText ? choice.text.trim() : '';
  const canSend = takesText ? text !== '' : choice.answers.length > 0;
  const { own = [], outside = [] } = Object.groupBy(
    card.options.map((option, index) => ({ option, index })),
    ({ option }) => ('outside' in option.effect ? 'outside' : 'own'),
  );
  const decide = async () => {
    const here = location.hash;
    const given = { answers: choice.isOwn ? [] : choice.answers, ...(takesText && { text }) };
    const answered = await desk.write('answer', { card: card.id, ...given, by: desk.by }, card.version);
    onAnswered(answered);
    const { next } = answered;
    // A person who looks at another decision by now stays there.
    if (location.hash === here) location.hash = next === null ? stepHref('decide') : stepHref('decide', next);
  };
  const undo = () => desk.write('undo', {}, page.version).then(onAnswered);
  return (
    <>
      <form class="question" onSubmit={submitting(() => asName(desk) && canSend && act(decide))}>
        <h2 dir="auto">{card.question}</h2>
        <About card={card} />
        <fieldset class="answers">
          <legend>{card.takesSeveral ? 'Answers' : 'Your answer'}</legend>
          {own.map(({ option, index }) => (
            <Answer key={index} card={card} index={index} option={option} choice={choice} onChoice={setChoice} />
          ))}
          {card.input && (
            <OwnAnswer
              input={card.input}
              isChosen={choice.isOwn}
              text={choice.text}
              onText={(own) => setChoice({ answers: [], isOwn: true, text: own })}
            />
          )}
        </fieldset>
        {outside.length > 0 && (
          <section aria-labelledby="outside">
            <h3 id="outside">To do outside</h3>
            <ul>
              {outside.map(({ option: { does, because } }) => (
                <li key={does} dir="auto">
                  {because === '' ? does : `${does}: ${because}`}
                </li>
              ))}
            </ul>
          </section>
        )}
        <Evidence lines={card.examples} />
        {error && <Fault error={error} />}
        <p class="decide-bar">
          <button type="submit" class="main" disabled={!canSend || isBusy}>
            {isBusy ? 'Writing…' : card.answer ? 'Decide again' : 'Decide'}
          </button>
          {page.undo !== null && (
            <button type="button" onClick={() => void act(undo)}>
              Undo: <bdi class="soft">{page.undo}</bdi>
            </button>
          )}
        </p>
      </form>
      {!(card.isOptional && card.about.of === 'people') && (
        <Preview key={card.version} card={card} chosen={choice.isOwn ? undefined : choice.answers.at(-1)} text={text} />
      )}
    </>
  );
}

/** Evidence, what it is about, and the decision that was made. */
function About({ card }: { readonly card: Card }) {
  const { why, answer } = card;
  return (
    <>
      {why !== '' && <p dir="auto">{why}</p>}
      <p class="affects">
        <Affects card={card} />
      </p>
      {answer && (
        <p class={answer.holds ? 'decided' : 'notice'}>
          {answer.holds ? 'Decided' : 'Decided, and changed since in the mapping'}:{' '}
          <b dir="auto">{answer.holds && answer.option !== null ? card.options[answer.option]!.does : answer.value}</b>{' '}
          <span class="soft">
            by <bdi>{answer.by ?? 'nobody named'}</bdi>
            {answer.atMs === null ? '' : `, ${formatMoment(answer.atMs / 1000)}`}
          </span>
        </p>
      )}
      {!answer && (
        <p class="soft">
          If nothing is decided: <bdi>{describeUndecided(card)}</bdi>
        </p>
      )}
    </>
  );
}

const Evidence = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.length === 0 ? null : (
    <details>
      <summary>Evidence</summary>
      <ul class="evidence">
        {lines.map((line, index) => (
          <li key={index} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </details>
  );

function Affects({ card: { about, isAll, found } }: { readonly card: Card }) {
  const { count, of } = about;
  if (count === null && !isAll) return <>How many {of} it is about is not known</>;
  if (count === null)
    return (
      <>
        About <b>all {of}</b>: how many is known once they are counted
      </>
    );
  return (
    <>
      Affects{' '}
      <b>
        {isAll && count > 1 ? 'all ' : ''}
        {formatWeight(about)}
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
  readonly choice: Choice;
  readonly onChoice: (choice: Choice) => void;
}

interface OneAnswerProps extends AnswerProps {
  readonly card: Card;
  readonly index: number;
  readonly option: Option;
}

function Answer({ card, index, option, choice, onChoice }: OneAnswerProps) {
  const { does, because, effect, isProposed, isLastResort } = option;
  const isChosen = !choice.isOwn && choice.answers.includes(index);
  const choose = (text = choice.text) => {
    const others = choice.answers.filter((one) => one !== index);
    const answers = card.takesSeveral ? (isChosen ? others : [...others, index]) : [index];
    onChoice({ answers, isOwn: false, text });
  };
  const words = (
    <>
      <b>
        <bdi>{does}</bdi>
        {isProposed && <span class="tag">proposed</span>}
        {isLastResort && <span class="tag">last resort</span>}
      </b>
      {because !== '' && (
        <span class="soft" dir="auto">
          {because}
        </span>
      )}
    </>
  );
  if ('runs' in effect)
    return (
      <div class="answer">
        <span class="answer-words">
          {words}
          <Terminal command={`chatferry ${effect.runs}`} />
        </span>
      </div>
    );
  return (
    <label class={isChosen ? 'answer chosen' : 'answer'}>
      <input
        type={card.takesSeveral ? 'checkbox' : 'radio'}
        name="answer"
        checked={isChosen}
        onChange={() => choose('asks' in effect ? choice.text : '')}
      />
      <span class="answer-words">
        {words}
        {'asks' in effect && effect.asks === zoneKey && (
          <Zones
            label={does}
            text={choice.text}
            onText={(text) => onChoice({ answers: [index], isOwn: false, text })}
          />
        )}
        {'asks' in effect && effect.asks !== zoneKey && (
          <input
            type="text"
            aria-label={does}
            placeholder={`For example ${effect.example}`}
            value={isChosen ? choice.text : ''}
            onInput={(event) => onChoice({ answers: [index], isOwn: false, text: event.currentTarget.value })}
          />
        )}
        <details>
          <summary>Details</summary>
          {('sets' in effect ? Object.entries(effect.sets) : 'asks' in effect ? [[effect.asks, '…'] as const] : []).map(
            ([key, value]) => (
              <code key={key} dir="auto">
                {key}: {value}
              </code>
            ),
          )}
        </details>
      </span>
    </label>
  );
}
