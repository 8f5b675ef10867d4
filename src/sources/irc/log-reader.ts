import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import { Described } from '../kit/described.ts';
import { messageEntry, problemEntry, recordEntry, type RowProblem } from '../kit/entries.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { readTextRows } from '../kit/rows/text-rows.ts';
import { withStyle } from '../kit/text/markdown.ts';
import { noteAssumption } from '../kit/time/time-reading.ts';
import { LogLines, type TimedRow } from './log-lines.ts';
import { fold } from './logs.ts';
import type { Nicks, Place } from './nicks.ts';
import type { IrcOptions } from './options.ts';
import type { Log } from './survey.ts';

/** State shared by all logs. */
export interface Reading {
  readonly options: IrcOptions;
  readonly workspace: string;
  readonly nicks: Nicks;
}

/** A message that is written over several lines has no more characters. */
const textMax = 1_000_000;

/** The entries of one log. */
export function readLog(input: ExportInput, log: Log, reading: Reading): AsyncIterable<readonly Entry[]> {
  const reader = new LogReader(log, reading);
  return readTextRows(input, log.path, {
    conversation: log.conversation.id,
    notes: reader.notes,
    otherwise: reading.options.encoding,
    row: (text, location, into) => reader.row(text, location, into),
    end: (into) => reader.end(into),
  });
}

class LogReader {
  readonly notes = new RowNotes();
  readonly #log: Log;
  readonly #reading: Reading;
  readonly #lines: LogLines;
  readonly #identity = new RowIdentity();
  readonly #described = new Described();
  /** A message that the next line may go on with. */
  #held: { readonly row: TimedRow; readonly location: Location; text: string } | undefined;

  constructor(log: Log, reading: Reading) {
    this.#log = log;
    this.#reading = reading;
    this.#lines = new LogLines(log.dialect, log);
  }

  row(text: string, location: Location, into: Entry[]): RowProblem | undefined {
    if (location.line === 1) this.#describe(location, into);
    const row = this.#lines.next(text);
    if (row.kind === 'more') return this.#goOn(row.text);
    this.end(into);
    if (row.kind === 'problem') return row.problem;
    if (row.kind === 'nothing') return undefined;
    if (row.said.isUnclear && !this.#reading.nicks.isKnown(row.said.nick!)) return unclearLine;
    if (this.#canGoOn && row.said.kind !== 'event') this.#held = { row, location, text: row.said.text };
    else this.#add(row, row.said.text, location, into);
    return undefined;
  }

  /** Ends the held message, which is now complete. */
  end(into: Entry[]): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#add(held.row, held.text.trimEnd(), held.location, into);
  }

  get #canGoOn(): boolean {
    const { continuesNextDay, lines } = this.#log.dialect;
    return continuesNextDay === true || lines.some(({ kind }) => kind === 'more');
  }

  #goOn(text: string): RowProblem | undefined {
    if (text.trim() === '' && !this.#held) return undefined;
    if (!this.#held || this.#held.text.length + text.length > textMax) return noMessageBefore;
    this.#held.text += `\n${text}`;
    return undefined;
  }

  #describe(location: Location, into: Entry[]): void {
    const { conversation, isApart } = this.#log;
    into.push(recordEntry(conversation, location));
    if (conversation.type === 'direct' && conversation.members.length === 0)
      into.push(problemEntry('no-members', noMembers, location));
    if (isApart) into.push(problemEntry('irc-network-unknown', networkUnknown, location));
  }

  #add(row: TimedRow, text: string, location: Location, into: Entry[]): void {
    const { said, instant, wallTime } = row;
    noteAssumption(this.notes, { assumed: instant.assumed, text: wallTime, location }, into);
    const zoneAssumed = this.#log.zone === undefined && !row.isExact ? 'utc' : undefined;
    noteAssumption(this.notes, { assumed: zoneAssumed, text: wallTime, location }, into);
    const author = this.#authorOf(row, location, into);
    const record: MessageRecord = newMessage({
      origin: {
        source: 'irc',
        workspace: this.#reading.workspace,
        conversation: this.#log.conversation.id,
        // Another zone in the mapping makes no other message.
        id: this.#identity.idOf([wallTime, said.kind, said.nick, text]),
      },
      sortKey: rowSortKey(0, location.line!),
      sentAtMs: instant.atMs,
      text: said.kind === 'action' ? withStyle(text, { italic: true }) : text,
      author: author?.id,
      systemEvent: said.event,
      custom: { notice: said.kind === 'notice' || undefined, nick: author?.isOther ? said.nick : undefined },
    });
    into.push(messageEntry(record, location, zoneAssumed));
  }

  /** Returns the author, and describes them at their first line in this file. A nick with a dot is a server's name. */
  #authorOf(
    { said: { nick }, orderMs }: TimedRow,
    location: Location,
    into: Entry[],
  ): { readonly id: string; readonly isOther: boolean } | undefined {
    if (nick === undefined || nick.includes('.')) return undefined;
    const { network, file } = this.#log;
    const { options, nicks } = this.#reading;
    const place: Place = { orderMs, file, line: location.line! };
    const person = nicks.findPerson(network, nick, place);
    const isByNetwork = options.people === 'one-per-network' && network !== '';
    const id = isByNetwork ? `${network}/${person.id}` : person.id;
    if (this.#described.nameOf('user', id) === undefined) {
      const user = { kind: 'user', id, name: person.name } as const;
      this.#described.add(user);
      into.push(recordEntry(user, location));
    }
    const others = isByNetwork ? [] : nicks.alsoOn(network, nick, place);
    if (others.length > 0)
      this.notes.add('irc-nick-on-networks', onNetworks(nick, [network, ...others]), location, into, [id]);
    return { id, isOther: person.id !== fold(nick) };
  }
}

const unclearLine: RowProblem = {
  code: 'irc-unclear-star',
  reason:
    'The program writes events and actions in the same way: this is no event that it is known to write, and no other line knows the nick',
};

const noMessageBefore: RowProblem = {
  code: 'irc-unknown-line',
  reason: 'The line has no time, and there is no message before it that it continues',
};

const noMembers = 'The log is called after the other person, and nothing says who you are: set "nick" in the mapping';

const networkUnknown =
  'Nothing says the network of this log, and another one of the same channel has other lines at the same time: they are kept apart by their paths';

const onNetworks = (nick: string, networks: readonly string[]): string =>
  `"${nick}" is used on several networks (${networks.slice(0, 5).join(', ')}) and taken for one person`;
