import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Entry } from '../../model/entry.ts';
import type { Reaction } from '../../model/records.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { asCount, asObject, asString, asStrings, asWord } from '../kit/narrow.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { Belonging, type Row } from './belonging.ts';
import {
  type Content,
  contentOf,
  type Event,
  firstPresent,
  readPlainText,
  redactedBy,
  relationOf,
  eventTime,
} from './format.ts';
import type { Role } from './roles.ts';

interface Call {
  answeredBy: string | undefined;
  endedAtMs: number | undefined;
  signals: number;
}

/**
 * Events of a file about other events: edits, reactions, deletions, votes, signals of calls. Memory: some 250 bytes for
 * each of them, and the text of an edit; nothing for a message.
 */
export class Relations {
  /** Number of the last row that belongs to an event. */
  readonly #last = new PackedMap();
  /** Rows by their numbers, as JSON. */
  readonly #rows = new PackedMap();
  #count = 0;
  /** For each row: 1 once the event that it belongs to was seen. */
  #isHere = new Uint8Array(1024);
  readonly #calls = new Map<string, Call>();
  readonly #counts: CountedProblems;

  constructor(counts: CountedProblems) {
    this.#counts = counts;
  }

  /** Takes in an event, in a first pass. */
  note(event: Event, role: Role, id = ''): void {
    const content = contentOf(event);
    const sender = asString(event.sender) ?? '';
    const atMs = eventTime(event) ?? 0;
    const target = asString(relationOf(content).event_id);
    const add = (to: string | undefined, kind: Row['kind'], what: unknown) => {
      if (to !== undefined) this.#add({ target: to, kind, id, sender, atMs, what });
    };
    if (role === 'redaction') add(redactedBy(event), 'deletion', asString(content.reason));
    else if (role === 'signal') this.#noteSignal(content, sender, atMs, asWord(event.type));
    else if (role === 'edit') add(target, 'edit', asObject<Content>(content['m.new_content']));
    else if (role === 'vote') add(target, 'vote', answersIn(content));
    else if (role === 'reaction') {
      const emoji = readEmoji(content);
      if (emoji !== undefined) add(target, 'reaction', emoji);
    }
  }

  #add(row: Omit<Row, 'before'>): void {
    const before = Number(this.#last.get(row.target) ?? -1);
    const { target, kind, id, sender, atMs, what } = row;
    this.#rows.set(String(this.#count), JSON.stringify([before, target, kind, id, sender, atMs, what]));
    this.#last.set(target, String(this.#count));
    this.#count += 1;
    if (this.#count <= this.#isHere.length) return;
    const marks = new Uint8Array(2 * this.#isHere.length);
    marks.set(this.#isHere);
    this.#isHere = marks;
  }

  #rowAt(number: number): Row {
    const [before, target, kind, id, sender, atMs, what] = JSON.parse(this.#rows.get(String(number))!);
    return { before, target, kind, id, sender, atMs, what };
  }

  #noteSignal(content: Content, sender: string, atMs: number, type: string): void {
    const id = asString(content.call_id) ?? '';
    const call = this.#calls.get(id) ?? { answeredBy: undefined, endedAtMs: undefined, signals: 0 };
    if (type === 'm.call.answer') call.answeredBy = sender;
    else if (/^m\.call\.(?:hangup|reject)$/.test(type)) call.endedAtMs = Math.max(call.endedAtMs ?? 0, atMs);
    call.signals += 1;
    this.#calls.set(id, call);
  }

  /** Returns the events that belong to an event, in order of time; undefined for most events. */
  of(id: string): Belonging | undefined {
    const last = this.#last.get(id);
    if (last === undefined) return undefined;
    const rows: Row[] = [];
    let isFirstTime = false;
    for (let number = Number(last); number >= 0; number = rows.at(-1)!.before) {
      rows.push(this.#rowAt(number));
      isFirstTime ||= this.#isHere[number] === 0;
      this.#isHere[number] = 1;
    }
    rows.reverse().sort((a, b) => a.atMs - b.atMs);
    const left = rows.filter((row) => row.kind === 'deletion' || !this.isDeleted(row.id));
    const belonging = new Belonging(left);
    if (isFirstTime) this.#counts.add('matrix-earlier-version', 'earlier versions of edited messages', belonging.edits);
    return belonging;
  }

  /** Whether an event that is not a message was deleted. */
  isDeleted(id: string): boolean {
    let isDeleted = false;
    for (let number = Number(this.#last.get(id) ?? -1); number >= 0; ) {
      const { kind, before } = this.#rowAt(number);
      if (kind === 'deletion') this.#isHere[number] = 1;
      isDeleted ||= kind === 'deletion';
      number = before;
    }
    return isDeleted;
  }

  findCall(id: string | undefined): Readonly<Call> | undefined {
    return id === undefined ? undefined : this.#calls.get(id);
  }

  /** Says what belongs to events that this file does not have. */
  end(path: string, into: Entry[]): void {
    const notes = new RowNotes();
    for (let number = 0; number < this.#count; number++) {
      if (this.#isHere[number] === 1) continue;
      const { kind, target } = this.#rowAt(number);
      const [code, what] = elsewhere[kind];
      notes.add(code, `${what} "${target.slice(0, 80)}", which is not in this file`, { path }, into);
    }
    let signals = 0;
    for (const call of this.#calls.values()) signals += call.signals;
    this.#counts.add('matrix-not-migrated', 'signals of calls', signals);
    notes.end(path, into);
  }
}

const elsewhere: Readonly<Record<Row['kind'], readonly [code: string, what: string]>> = {
  deletion: ['matrix-deleted-elsewhere', 'Somebody deleted'],
  edit: ['matrix-edited-elsewhere', 'Somebody edited'],
  reaction: ['matrix-answered-elsewhere', 'Somebody reacted to'],
  vote: ['matrix-answered-elsewhere', 'Somebody voted in'],
};

/** The emoji of a reaction; a picture by its name. */
function readEmoji(content: Content): string | undefined {
  const key = asString(relationOf(content).key);
  if (!key?.startsWith('mxc://')) return key;
  const name = asString(firstPresent(content, 'shortcode', 'com.beeper.reaction.shortcode'))?.replace(/^:|:$/g, '');
  return `:${name ?? 'custom'}:`;
}

function answersIn(content: Content): readonly string[] {
  const response = asObject<{ answers: unknown }>(
    firstPresent(content, 'm.poll.response', 'org.matrix.msc3381.poll.response'),
  );
  return asStrings(response?.answers ?? content['m.selections']);
}

/** Reactions as a server counts them, without who gave them. */
export function countedReactions(annotations: unknown): Reaction[] {
  const chunk = asObject<{ chunk: unknown }>(annotations)?.chunk;
  return (Array.isArray(chunk) ? chunk : []).flatMap((value: unknown) => {
    const { key, count } = asObject<{ key: string; count: number }>(value) ?? {};
    const emoji = asString(key);
    return emoji === undefined ? [] : [{ emoji, users: [], count: asCount(count) ?? 1 }];
  });
}

/** Returns the question of a poll, and its answers by id. */
export function pollIn(content: Content) {
  const start = asObject<{ question: unknown; answers: unknown }>(
    firstPresent(content, 'm.poll', 'm.poll.start', 'org.matrix.msc3381.poll.start'),
  );
  const answers = (Array.isArray(start?.answers) ? start.answers : []).map((value: unknown) => ({
    id: asString(asObject<{ id: string }>(value)?.id) ?? asString(asObject<Content>(value)?.['m.id' as never]),
    text: readPlainText(value),
  }));
  return { question: readPlainText(start?.question) ?? readPlainText(content), answers };
}
