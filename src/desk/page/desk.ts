import { useRef, useState } from 'preact/hooks';
import { Refused, usePolling } from '../../viewer/page/door.tsx';
import type { DeskState } from '../shapes.ts';
import { readState, type Sent, type SentAnswer, send } from './send.ts';

/** How often the program is asked what it does, in ms. */
const everyMs = 700;

/** Key under which the browser keeps the name. */
const nameKey = 'chatferry.by';

export interface Desk {
  readonly state: DeskState;
  /** The name that was typed in; empty until then. */
  readonly by: string;
  /** Grows when the files were changed by anything but this page. */
  readonly changesElsewhere: number;
  /** Sends a change, after those before it. @param seen Version of what is shown; by default the latest. @throws Refused */
  write<Name extends Sent>(name: Name, body?: object, seen?: string): Promise<SentAnswer<Name>>;
  /** Does the same for a request of another form. @throws Refused */
  change<Answer>(sending: (version: string) => Promise<Answer>): Promise<Answer>;
  /** Asks for the state at once. */
  update(): Promise<void>;
}

export interface DeskHook {
  /** Undefined until the program has answered. */
  readonly desk: Desk | undefined;
  /** Why the program does not answer any more. */
  readonly gone: string | undefined;
  readonly by: string;
  readonly setBy: (by: string) => void;
}

export function useDesk(): DeskHook {
  const [state, setState] = useState<DeskState>();
  const [gone, setGone] = useState<string>();
  const [changesElsewhere, setChangesElsewhere] = useState(0);
  const [by, setBy] = useState(() => localStorage.getItem(nameKey) ?? '');
  const latest = useRef<DeskState>(undefined);
  const turns = useRef({ asked: 0, shown: 0, isWriting: false, last: Promise.resolve() as Promise<unknown> });

  const update = async () => {
    const turn = ++turns.current.asked;
    const found = await readState();
    // An answer may come after that to a later question.
    if (turn < turns.current.shown) return;
    turns.current.shown = turn;
    const isElsewhere = latest.current && latest.current.version !== found.version && !turns.current.isWriting;
    if (isElsewhere) setChangesElsewhere((count) => count + 1);
    latest.current = found;
    setState(found);
  };
  usePolling(
    () =>
      update().then(
        () => setGone(undefined),
        ({ code, message }: Refused) =>
          setGone(code === undefined ? `${message}. Then this page goes on by itself` : message),
      ),
    everyMs,
  );

  const change = <Answer>(sending: (version: string) => Promise<Answer>): Promise<Answer> => {
    const turn = turns.current.last.then(async () => {
      turns.current.isWriting = true;
      try {
        return await sending(latest.current!.version);
      } catch (error) {
        if (error instanceof Refused && error.code === changedCode) turns.current.isWriting = false;
        throw error;
      } finally {
        await update().catch(() => {});
        turns.current.isWriting = false;
      }
    });
    turns.current.last = turn.catch(() => {});
    return turn;
  };
  const desk = state && {
    state,
    by: by.trim(),
    changesElsewhere,
    change,
    update,
    write: <Name extends Sent>(name: Name, body: object = {}, seen?: string) =>
      change((version) => send(name, { ...body, version: seen ?? version })),
  };
  const keepBy = (typed: string) => {
    localStorage.setItem(nameKey, typed);
    setBy(typed);
  };
  return { desk, gone, by, setBy: keepBy };
}

/** The files are others than those that were shown. */
export const changedCode = 'DESK_CHANGED';
