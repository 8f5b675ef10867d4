import { useEffect, useRef, useState } from 'preact/hooks';
import type { Person, Place, SearchPage } from '../shapes.ts';
import { ask } from './api.ts';
import { Empty, Find, More, Name, Problem } from './elements.tsx';
import { countOf, formatMoment } from './format.ts';
import { go, hrefOf } from './route.ts';

/** Hits after which somebody must want more. */
const pause = 60;

/** To the message that has this muid, id or place in the export; else looks for the words. */
async function open(text: string, as: string | undefined): Promise<void> {
  const isKey = text !== '' && !/\s/.test(text);
  const { place } = isKey ? await ask<{ readonly place: Place | null }>('lookup', { message: text }) : { place: null };
  if (place) go({ page: 'chats', conversation: place.conversation, message: place.id, as });
  else go({ page: 'search', text, as });
}

/** Looks through all texts, the newest first, and shows what it finds while it goes on. */
export function Search({ text, as }: { readonly text: string; readonly as: string | undefined }) {
  const [typed, setTyped] = useState(text);
  const [hits, setHits] = useState<SearchPage['hits']>([]);
  const [people, setPeople] = useState<Readonly<Record<string, Person>>>({});
  const [state, setState] = useState<'looking' | 'paused' | 'done'>('looking');
  const [error, setError] = useState<string>();
  const goOn = useRef<(() => void) | undefined>(undefined);

  useEffect(() => {
    let isWanted = true;
    const searchPage = async (before: string | undefined, found: SearchPage['hits'], max: number) => {
      setState('looking');
      let [next, all] = [before, found];
      do {
        const page = await ask<SearchPage>('search', { text, before: next });
        if (!isWanted) return;
        all = [...all, ...page.hits];
        setHits(all);
        setPeople((known) => ({ ...known, ...page.people }));
        if (page.next === null) return setState('done');
        next = page.next;
      } while (all.length < max);
      const [from, shown] = [next, all];
      goOn.current = () => void searchPage(from, shown, shown.length + pause).catch(fail);
      setState('paused');
    };
    const fail = (problem: Error) => setError(problem.message);
    setHits([]);
    searchPage(undefined, [], pause).catch(fail);
    return () => {
      isWanted = false;
    };
  }, [text]);

  return (
    <main class="sheet" id="main">
      <h1>Search</h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void open(typed.trim(), as);
        }}
      >
        <Find label="Words, a file, a muid, or a place of the report" value={typed} onInput={setTyped} />{' '}
        <button type="submit">Search</button>
      </form>
      {error !== undefined && <Problem>{error}</Problem>}
      {text !== '' && (
        <p class="soft" role="status">
          {countOf(hits.length, 'message')}
          {state === 'looking' ? ' so far…' : ''}
        </p>
      )}
      {text !== '' && state === 'done' && hits.length === 0 && <Empty>Nobody wrote that</Empty>}
      <ul class="hits">
        {hits.map((hit) => (
          <li key={hit.id}>
            <a href={hrefOf({ page: 'chats', conversation: hit.conversation, message: hit.id, as })}>
              <span class="row-head">
                <b dir="auto">{hit.title || hit.conversation}</b>
                <span class="soft">{formatMoment(hit.sentAt)}</span>
              </span>
              <span>
                {hit.isSaid && (
                  <>
                    <Name>{people[hit.sender]?.name ?? hit.sender}</Name>:{' '}
                  </>
                )}
                <Name>{hit.text}</Name>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <More more={state === 'paused' ? () => goOn.current?.() : undefined} />
    </main>
  );
}
