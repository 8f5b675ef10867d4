import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../web/page/icon.tsx';
import { Empty, useAnswer, useSettled } from '../../viewer/page/door.tsx';
import type { Card, CardPreview, PreviewRow } from '../shapes.ts';
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

/** Three rows of the export next to the messages that they become under the chosen answer. */
export function Preview({ card, chosen = asItIs, text }: PreviewProps) {
  const isSetting = 'sets' in (card.options[chosen]?.effect ?? {});
  const known = usePreviews(card, isSetting ? chosen : asItIs);
  const own = useOwnPreview(card, chosen, text);
  const preview = text === '' ? known.get(isSetting ? chosen : asItIs) : own;
  const others = [...known.values(), own].filter((one) => one && !(one instanceof Error)) as readonly CardPreview[];
  return (
    <section class="preview" aria-labelledby="preview" aria-busy={!preview}>
      <h3 id="preview">
        Rows and their messages{!isSetting && text === '' ? ', as it is' : ''}
        {preview && !(preview instanceof Error) && preview.rows.length > 0 && others.length > 1 && (
          <span class="soft"> · what differs between the answers is marked</span>
        )}
      </h3>
      {!preview && <Empty>Reading rows…</Empty>}
      {preview instanceof Error && <Fault error={preview} />}
      {preview && !(preview instanceof Error) && preview.why !== null && (
        <p class="soft" dir="auto">
          {preview.why}
        </p>
      )}
      {preview &&
        !(preview instanceof Error) &&
        preview.rows.map((row) => <Pair key={row.place} row={row} others={others} />)}
    </section>
  );
}

/** Whether another answer makes something else of the same row. */
const differs = (others: readonly CardPreview[], place: string, of: (row: PreviewRow) => string | undefined) =>
  new Set(others.flatMap(({ rows }) => rows.filter((row) => row.place === place).map(of))).size > 1;

const selectPart = (name: string) => (row: PreviewRow) => row.message.find(([part]) => part === name)?.[1];

const formatOutcome = ({ verdict, reason }: PreviewRow) => `${verdict} ${reason ?? ''}`;

function Pair({ row, others }: { readonly row: PreviewRow; readonly others: readonly CardPreview[] }) {
  return (
    <div class="pair">
      <section class="side" aria-label={`Row at ${row.place}`} tabindex={0}>
        <p class="soft place" dir="auto">
          {row.place}
        </p>
        {row.row === null ? (
          <p class="soft" dir="auto">
            {row.why}
          </p>
        ) : (
          <Facts rows={row.row.map(([column, value]) => [<bdi>{column}</bdi>, <bdi>{value}</bdi>])} />
        )}
      </section>
      <span class="becomes">
        <Icon name="arrow" />
      </span>
      <section class={`side message-side ${row.verdict}`} aria-label={`Message of ${row.place}`} tabindex={0}>
        <Outcome row={row} isMarked={differs(others, row.place, formatOutcome)} />
        <Facts
          rows={row.message.map(([part, text]) => [
            <bdi>{part}</bdi>,
            <span class={part === 'text' ? 'said-text' : undefined}>
              <Marked isMarked={differs(others, row.place, selectPart(part))}>{text}</Marked>
            </span>,
          ])}
        />
      </section>
    </div>
  );
}

const outcomes: Readonly<Record<PreviewRow['verdict'], string>> = {
  undecided: 'not decided yet',
  sent: 'sent',
  skipped: 'not sent',
  invalid: 'cannot be sent',
};

function Outcome({ row: { verdict, reason }, isMarked }: { readonly row: PreviewRow; readonly isMarked: boolean }) {
  return (
    <p class="outcome">
      <Marked isMarked={isMarked}>{reason === null ? outcomes[verdict] : `${outcomes[verdict]}: ${reason}`}</Marked>
    </p>
  );
}

const Marked = ({ isMarked, children }: { readonly isMarked: boolean; readonly children: string }) =>
  isMarked ? <mark dir="auto">{children}</mark> : <bdi>{children}</bdi>;
