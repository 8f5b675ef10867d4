import { useState } from 'preact/hooks';
import { Empty, Find, formatMoment, More } from '../../viewer/page/door.tsx';
import { describeUndecided, formatWeight } from '../../decisions/decision.ts';
import { Icon } from '../../web/page/icon.tsx';
import type { Answered, Card, CardGroup, CardPage } from '../shapes.ts';
import { CardView } from './card.tsx';
import type { Desk } from './desk.ts';
import { Fault } from './elements.tsx';
import { hasSource, PlanButton } from './run-button.tsx';
import { choicesHref, stepHref, tableHref } from './route.ts';
import { Proposals } from './proposals.tsx';
import { useRows } from './rows.ts';
import { Terminal } from './terminal.tsx';

/** The third step: what has to be decided, a card each, those that are open first. */
export function Decide({ desk, of }: { readonly desk: Desk; readonly of: string | undefined }) {
  const { version } = desk.state;
  const { page, error, more } = useRows('cards', {}, [version]);
  const [last, setLast] = useState<Answered>();
  const shown = of ?? page?.rows.find((card) => !isSettled(card))?.id ?? page?.rows[0]?.id;
  return (
    <>
      <header class="step-head">
        <h1>{page && hasSource(desk) ? headline(page) : 'Decide'}</h1>
        <span class="ways">
          {page?.hasTables && (
            <a class="button" href={tableHref()}>
              <Icon name="table" /> Tables
            </a>
          )}
          <a class="button" href={choicesHref}>
            All choices
          </a>
        </span>
      </header>
      {error && <Fault error={error} />}
      {last && last.written.length > 0 && <Written answered={last} />}
      {!page && !error && <Empty>Looking at the export…</Empty>}
      {page && !page.isPlanned && (
        <div class="notice">Findings appear after a plan. {page.open === 0 && <PlanButton desk={desk} isMain />}</div>
      )}
      {page && <Proposals desk={desk} page={page} onAnswered={setLast} />}
      {page?.rows.length === 0 && page.isPlanned && <Empty>Nothing to decide: the plan has no question</Empty>}
      {page && page.rows.length > 0 && shown !== undefined && (
        <div class={of === undefined ? 'panes' : 'panes reading'}>
          {/* Before the list, so that Tab leads to its answers at once. */}
          <CardView key={shown} desk={desk} id={shown} page={page} onAnswered={setLast} />
          <CardList page={page} current={shown} more={more} />
        </div>
      )}
    </>
  );
}

/** Where the last answer was written to, and the command that does the same. */
const Written = ({ answered: { written, command } }: { readonly answered: Answered }) => (
  <div role="status">
    <p class="soft">
      Written to <bdi>{written.join(', ')}</bdi>
    </p>
    {command !== '' && (
      <details>
        <summary>In the terminal</summary>
        <Terminal key={command} command={command} />
      </details>
    )}
  </div>
);

/** Only a plan finds everything that there is to decide. */
function headline({ open, isPlanned, rows }: CardPage): string {
  if (open > 0) return `${open} to decide`;
  if (!isPlanned && rows.length > 0) return 'Everything so far is decided';
  return isPlanned ? 'Everything is decided' : 'Nothing to decide yet';
}

const isSettled = ({ answer }: Card): boolean => answer?.holds === true;

const cardGroups: readonly CardGroup[] = ['who', 'where', 'when', 'seen by', 'words', 'files', 'platform lines'];

/** More decisions than these have a search. */
const searchedMin = 6;

interface ListProps {
  readonly page: CardPage;
  readonly current: string;
  readonly more: (() => void) | undefined;
}

function CardList({ page, current, more }: ListProps) {
  const [search, setSearch] = useState('');
  const words = search.toLowerCase();
  const found = page.rows.filter(({ question }) => question.toLowerCase().includes(words));
  const {
    first = [],
    open = [],
    settled = [],
  } = Object.groupBy(found, (card) => (isSettled(card) ? 'settled' : card.id === 'reading' ? 'first' : 'open'));
  const groups = [
    ['', first] as const,
    ...cardGroups.map((group) => [group, open.filter((card) => card.group === group)] as const),
    ['decided', settled] as const,
  ].filter(([, cards]) => cards.length > 0);
  return (
    <nav class="pane-list" aria-label="Decisions">
      {page.rows.length > searchedMin && <Find label="Find a decision" value={search} onInput={setSearch} />}
      {groups.map(([group, cards]) => (
        <section key={group} aria-label={group || 'first'}>
          {group !== '' && <h2 class="group-name">{group}</h2>}
          <ul class="rows">
            {cards.map((card) => (
              <CardRow key={card.id} card={card} isCurrent={card.id === current} />
            ))}
          </ul>
        </section>
      ))}
      {found.length === 0 && <Empty>No decision has these words</Empty>}
      <More more={more} />
    </nav>
  );
}

const CardRow = ({ card, isCurrent }: { readonly card: Card; readonly isCurrent: boolean }) => (
  <li>
    <a class="row" href={stepHref('decide', card.id)} aria-current={isCurrent ? 'page' : undefined}>
      <span class={isSettled(card) ? 'step-mark done' : 'step-mark'} aria-hidden="true">
        {pickMark(card)}
      </span>
      <span class="row-text">
        <bdi class="row-title">{card.question}</bdi>
        <span class="soft">{renderFacts(card)}</span>
      </span>
    </a>
  </li>
);

const isNeeded = ({ ifUndecided }: Card): boolean => 'stops' in ifUndecided;

function pickMark(card: Card) {
  if (isSettled(card)) return <Icon name="check" />;
  return isNeeded(card) ? '!' : card.isOptional ? '·' : '?';
}

function renderFacts(card: Card) {
  const { answer, about } = card;
  if (answer?.holds) {
    return (
      <>
        decided {answer.by === null ? 'without a name' : 'by '}
        <bdi>{answer.by}</bdi>
        {answer.atMs === null ? '' : `, ${formatMoment(answer.atMs / 1000)}`}
      </>
    );
  }
  const facts = [
    ...(answer ? ['decided, and changed since'] : []),
    ...(about.count === null ? [] : [formatWeight(about)]),
    ...(isNeeded(card) ? ['needed before anything is sent'] : []),
    ...(card.isOptional && !about.isIdle
      ? [card.takesSeveral ? 'not needed' : `${describeUndecided(card)} unless you decide otherwise`]
      : []),
  ];
  return facts.join(' · ') || 'open';
}
