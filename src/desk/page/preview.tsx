import { useEffect, useRef, useState } from 'preact/hooks';
import { Avatar, Empty, Message, useAnswer, useSettled } from '../../viewer/page/door.tsx';
import { isOpen } from '../../decisions/decision.ts';
import type { Bubble, Card, CardPreview, PreviewRow } from '../shapes.ts';
import { Facts, Fault } from './elements.tsx';
import { read } from './send.ts';

/** The answer that stands for: as it is now. */
const asItIs = -1;

type Known = ReadonlyMap<number, CardPreview | Error>;

/** The previews of all answers, the chosen one first, so that another choice shows at once what it does. */
function usePreviews({ id, options }: Card, chosen: number): Known {
  const [known, setKnown] = useState<Known>(new Map());
  const asked = useRef(new Set<number>());
  useEffect(() => {
    let isWanted = true;
    const load = async (answer: number) => {
      asked.current.add(answer);
      const found = await read('preview', { card: id, answer }).catch((error: Error) => error);
      // It is asked for again once it is chosen again.
      if (found instanceof Error) asked.current.delete(answer);
      setKnown((before) => new Map(before).set(answer, found));
    };
    const loadAll = async () => {
      const setting = options.flatMap(({ effect }, index) => ('sets' in effect ? [index] : []));
      for (const answer of new Set([chosen, asItIs, ...setting])) {
        if (!isWanted) return;
        if (!asked.current.has(answer)) await load(answer);
      }
    };
    void loadAll();
    return () => {
      isWanted = false;
    };
  }, [chosen]);
  return known;
}

interface PreviewProps {
  readonly card: Card;
  /** Undefined if none of the options is chosen. */
  readonly chosen: number | undefined;
  /** A value of the user's own, of the chosen option if there is one; empty for none. */
  readonly text: string;
}

/** How long a value has to stand before rows are read under it, in ms. */
const typingMs = 400;

/** The preview of a value of the user's own; undefined until it is there, and without one. */
function useOwnPreview({ id }: Card, option: number, text: string): CardPreview | Error | undefined {
  const wanted = useSettled(text, typingMs);
  const ask = async () =>
    wanted === '' ? undefined : await read('preview', { card: id, answer: option, text: wanted });
  const { answer, error } = useAnswer(ask, [option, wanted]);
  return wanted === text && (error || answer?.text === text) ? (error ?? answer) : undefined;
}

/** Another answer to compare with: what is now, or while nothing is decided, the first of the others. */
function pickOther({ options, answer, ...card }: Card, chosen: number): number {
  const first = options.findIndex(({ effect }, index) => 'sets' in effect && index !== chosen);
  const isUndecided = isOpen({ options, answer, ...card }) && 'stops' in card.ifUndecided;
  return isUndecided || chosen === asItIs || chosen === answer?.option ? first : asItIs;
}

/** Three messages as they will be under the chosen answer, and what another answer makes of them. */
export function Preview({ card, chosen = asItIs, text }: PreviewProps) {
  const isSetting = 'sets' in (card.options[chosen]?.effect ?? {});
  const shown = isSetting ? chosen : asItIs;
  const known = usePreviews(card, shown);
  const own = useOwnPreview(card, chosen, text);
  const preview = text === '' ? known.get(shown) : own;
  const other = pickOther(card, text === '' ? shown : chosen);
  const found = known.get(other);
  const others = found && !(found instanceof Error) ? found.rows : [];
  return (
    <section class="preview" aria-labelledby="preview" aria-busy={!preview}>
      <h3 id="preview">{shown === asItIs && text === '' ? 'Messages as they are now' : 'Messages with this answer'}</h3>
      {!preview && <Empty>Reading rows…</Empty>}
      {preview instanceof Error && <Fault error={preview} />}
      {preview && !(preview instanceof Error) && (
        <>
          {preview.why !== null && (
            <p class="soft" dir="auto">
              {preview.why}
            </p>
          )}
          {preview.rows.map((row) => (
            <Pair
              key={row.place}
              row={row}
              other={others.find(({ place }) => place === row.place)}
              otherwise={other === asItIs ? 'Now' : `If you answer “${card.options[other]?.does ?? ''}”`}
              words={wordsOf(card)}
            />
          ))}
        </>
      )}
    </section>
  );
}

/** Names in the options of a question, among them those of columns. */
const wordsOf = ({ id, options }: Card): ReadonlySet<string> =>
  new Set(
    [id, ...options.flatMap(({ effect }) => ('sets' in effect ? Object.values(effect.sets) : []))]
      .join(' ')
      .split(/[^\p{L}\p{N}_$-]+/u),
  );

const selectPart = (name: string, { message }: PreviewRow) => message.find(([part]) => part === name)?.[1];

/** Parts of a message that differ under another answer. */
function listDifferences(row: PreviewRow, other: PreviewRow | undefined): readonly string[] {
  if (other === undefined) return [];
  const names = new Set([...row.message, ...other.message].map(([name]) => name));
  const parts = [...names].filter((name) => selectPart(name, row) !== selectPart(name, other));
  const isSameOutcome = row.verdict === other.verdict && row.reason === other.reason;
  // A message that is not sent has no parts.
  return isSameOutcome ? parts : row.verdict === 'undecided' || other.verdict === 'undecided' ? parts : ['outcome'];
}

interface PairProps {
  readonly row: PreviewRow;
  readonly other: PreviewRow | undefined;
  readonly otherwise: string;
  readonly words: ReadonlySet<string>;
}

function Pair({ row, other, otherwise, words }: PairProps) {
  const differences = listDifferences(row, other);
  const { bubble, place, why } = row;
  const rank = ([column]: readonly [string, string]) => Number(!words.has(column));
  return (
    <div class="pair">
      {bubble && <Said row={row} bubble={bubble} differences={differences} />}
      {other?.bubble && differences.length > 0 && (
        <>
          <p class="soft otherwise" dir="auto">
            {otherwise}:
          </p>
          <Said row={other} bubble={other.bubble} differences={differences} />
        </>
      )}
      {row.row === null ? (
        <p class="soft" dir="auto">
          {place}: {why}
        </p>
      ) : (
        <details>
          <summary>
            The row of the export <span class="unseen">at {place}</span>
          </summary>
          <p class="soft place" dir="auto">
            {place}
          </p>
          <Facts
            rows={row.row
              .toSorted((one, next) => rank(one) - rank(next))
              .map(([column, value]) => [
                words.has(column) ? (
                  <b>
                    <bdi>{column}</bdi>
                  </b>
                ) : (
                  <bdi>{column}</bdi>
                ),
                <bdi>{value}</bdi>,
              ])}
          />
        </details>
      )}
    </div>
  );
}

interface SaidProps {
  readonly row: PreviewRow;
  readonly bubble: Bubble;
  readonly differences: readonly string[];
}

/** A message as the chats show it, under the name of its conversation. */
function Said({ row, bubble: { message, author, conversation, roots }, differences }: SaidProps) {
  const { verdict, reason } = row;
  const marks = differences.map((part) => `differs-${part.replace(' ', '-')}`);
  const facts = [selectPart('time', row), selectPart('seen by', row)];
  return (
    <div class={['as-sent', verdict, ...(facts[0] === '?' ? ['no-time'] : []), ...marks].join(' ')}>
      <p class="in-chat">
        <Avatar isGroup name={conversation} id={conversation} />
        <span class="row-text">
          <b class="title" dir="auto">
            {conversation}
          </b>
          {facts.map(
            (fact, index) =>
              fact && (
                <span key={index} class={`soft fact-${index}`} dir="auto">
                  {index === 0
                    ? fact === '?'
                      ? 'time not decided yet'
                      : fact
                    : `seen by ${fact === '?' ? 'whom is not decided yet' : fact}`}
                </span>
              ),
          )}
        </span>
      </p>
      <Message message={message} isContinued={false} isOwn={false} people={{ [author.uid]: author }} roots={roots} />
      <p class="outcome">{reason === null ? outcomes[verdict] : `${outcomes[verdict]}: ${sayReason(reason)}`}</p>
      {differences.length > 0 && <p class="unseen">Differs: {differences.join(', ')}</p>}
    </div>
  );
}

const outcomes: Readonly<Record<PreviewRow['verdict'], string>> = {
  undecided: 'not decided yet',
  sent: 'sent',
  skipped: 'not sent',
  invalid: 'cannot be sent',
};

/** A rule of the mapping is no word for a page, and the code of a check is one without its hyphens. */
const sayReason = (reason: string): string =>
  /^[a-z]+(?:\.\w+)+$/i.test(reason)
    ? 'left out by a decision'
    : /^[a-z-]+$/.test(reason)
      ? reason.replaceAll('-', ' ')
      : reason;
