import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage } from '../../model/new-message.ts';
import { Described } from '../kit/described.ts';
import { problemEntry, recordEntry, type RowProblem } from '../kit/entries.ts';
import { LogClock } from '../kit/time/log-clock.ts';
import { withStyle } from '../kit/text/markdown.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { readTextRows } from '../kit/rows/text-rows.ts';
import { noteAssumption } from '../kit/time/time-reading.ts';
import { type LogLine, readLine } from './format.ts';
import { fold, type Log } from './logs.ts';
import type { IrcOptions } from './options.ts';

type Said = Extract<LogLine, { timeOfDayMs: number }>;

/** The entries of one log. It stands for itself: what is made of it does not depend on other files. */
export function readLog(
  input: ExportInput,
  path: string,
  { conversation, dayMs, workspace, zone, encoding }: Log & IrcOptions & { readonly workspace: string },
): AsyncIterable<readonly Entry[]> {
  const clock = new LogClock(zone);
  clock.setDay(dayMs);
  const identity = new RowIdentity();
  const people = new People();
  const notes = new RowNotes();

  function row(text: string, location: Location, into: Entry[]): RowProblem | undefined {
    if (location.line === 1) {
      into.push(recordEntry(conversation, location));
      if (conversation.type === 'direct' && conversation.members.length === 0) into.push(noMembers(location));
    }
    const line = readLine(text);
    if (line === undefined) return unknownLine;
    if (line.kind === 'day') clock.setDay(line.localMs);
    if (!('timeOfDayMs' in line)) return undefined;
    const offsetMs = line.isUtc ? 0 : undefined;
    const instant =
      line.dayMs === undefined
        ? clock.at(line.timeOfDayMs)
        : clock.exactly({ localMs: line.dayMs + line.timeOfDayMs, nanoseconds: 0, offsetMs });
    if (!instant) return noDay;
    // As the clock showed it.
    const wallTime = new Date(clock.dayMs! + line.timeOfDayMs).toISOString().slice(0, 19);
    noteAssumption(notes, { assumed: instant.assumed, text: wallTime, location }, into);
    if (zone === undefined && !line.isUtc) noteAssumption(notes, { assumed: 'utc', text: wallTime, location }, into);
    const author = people.authorOf(line, location, into);
    // Another zone in the mapping makes no other message.
    const id = identity.idOf([wallTime, line.kind, line.nick, line.text]);
    const record = newMessage({
      origin: { source: 'irc', workspace, conversation: conversation.id, id },
      sortKey: rowSortKey(0, location.line!),
      sentAtMs: instant.atMs,
      text: line.kind === 'action' ? withStyle(line.text, { italic: true }) : line.text,
    });
    if (author !== undefined) record.author = author;
    if (line.event !== undefined) record.systemEvent = line.event;
    if (line.kind === 'notice') record.custom = { notice: true };
    if (author !== undefined && author !== fold(line.nick!)) record.custom = { ...record.custom, nick: line.nick! };
    into.push(recordEntry(record, location));
    return undefined;
  }

  return readTextRows(input, path, { conversation: conversation.id, notes, otherwise: encoding, row });
}

/** Who writes in a log: somebody who changes their nick stays who they are. */
class People {
  readonly #described = new Described();
  /** Who is behind a nick that somebody took: the id that they had before. */
  readonly #ids = new Map<string, string>();

  /** Describes whoever does something for the first time. A nick with a dot is a server's name. */
  authorOf({ nick, to }: Said, location: Location, into: Entry[]): string | undefined {
    if (nick === undefined || nick.includes('.')) return undefined;
    const id = this.#ids.get(fold(nick)) ?? fold(nick);
    if (!this.#isKnown(id)) {
      const user = { kind: 'user', id, name: nick } as const;
      this.#described.add(user);
      into.push(recordEntry(user, location));
    }
    // A nick under which somebody wrote before stays theirs.
    if (to !== undefined && !this.#isKnown(fold(to)) && !this.#ids.has(fold(to))) this.#ids.set(fold(to), id);
    return id;
  }

  #isKnown(id: string): boolean {
    return this.#described.nameOf('user', id) !== undefined;
  }
}

const unknownLine: RowProblem = {
  code: 'irc-unknown-line',
  reason: 'Expected a line of an IRC log: a time of day, then <nick>, -nick-, * or ***, and found something else',
};

const noDay: RowProblem = {
  code: 'irc-no-day',
  reason: 'The line says the time of day, and nothing says which day it is',
};

const noMembers = (location: Location): Entry =>
  problemEntry(
    'no-members',
    'The log is called after the other person, and nothing says who you are: set "nick" in the mapping',
    location,
  );
