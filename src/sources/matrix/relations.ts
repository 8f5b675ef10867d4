import type { Entry } from '../../model/entry.ts';
import type { Reaction } from '../../model/records.ts';
import type { CountedProblems } from '../kit/counted-problems.ts';
import { asCount, asObject, asString, asStrings } from '../kit/narrow.ts';
import { RowNotes } from '../kit/row-notes.ts';
import { type Content, contentOf, type Event, firstOf, plainTextOf, redactedBy, relationOf, timeOf } from './format.ts';
import type { Role } from './roles.ts';

interface Edit {
  readonly id: string;
  readonly sender: string;
  readonly atMs: number | undefined;
  /** JSON of what is said now; undefined where it is encrypted. */
  readonly content: string | undefined;
}

/** What belongs to one event; `isHere` once that was seen. */
interface Belonging<T> {
  readonly all: T[];
  isHere: boolean;
}

interface Given {
  readonly id: string;
  readonly sender: string;
  readonly atMs: number;
  /** The emoji, or ids of answers. */
  readonly what: readonly string[];
}

/** The last valid edit of a message. */
export interface LastEdit {
  readonly atMs: number | undefined;
  readonly content: Content | undefined;
}

interface Call {
  answeredBy: string | undefined;
  endedAtMs: number | undefined;
  signals: number;
  isHere: boolean;
}

/**
 * What events of a file say of others: edits, reactions, deletions, votes, signals of calls. Some 200 bytes for each of them, and the words
 * of an edit; nothing for a message.
 */
export class Relations {
  readonly #edits = new Map<string, Belonging<Edit>>();
  readonly #reactions = new Map<string, Belonging<Given>>();
  readonly #votes = new Map<string, Belonging<Given>>();
  readonly #deletions = new Map<string, { readonly reason: string | undefined; isHere: boolean }>();
  readonly #calls = new Map<string, Call>();
  /** Whatever something belongs to: most messages are not among it. */
  readonly #targets = new Set<string>();
  readonly #counts: CountedProblems;

  constructor(counts: CountedProblems) {
    this.#counts = counts;
  }

  /** Takes in an event, in a first pass. */
  note(event: Event, role: Role, id: string | undefined): void {
    const content = contentOf(event);
    const sender = asString(event.sender) ?? '';
    const atMs = timeOf(event);
    if (role === 'redaction') {
      const target = redactedBy(event);
      if (target === undefined) return;
      this.#targets.add(target);
      this.#deletions.set(target, { reason: asString(content.reason), isHere: false });
      return;
    }
    if (role === 'signal') {
      this.#noteSignal(content, sender, atMs, String(event.type));
      return;
    }
    const target = asString(relationOf(content).event_id);
    if (id === undefined || target === undefined) return;
    this.#targets.add(target);
    if (role === 'edit') {
      const now = asObject<Content>(content['m.new_content']);
      add(this.#edits, target, { id, sender, atMs, content: now && JSON.stringify(now) });
    } else if (role === 'reaction') {
      const key = emojiOf(content);
      if (key !== undefined) add(this.#reactions, target, { id, sender, atMs: atMs ?? 0, what: [key] });
    } else if (role === 'vote') add(this.#votes, target, { id, sender, atMs: atMs ?? 0, what: answersIn(content) });
  }

  #noteSignal(content: Content, sender: string, atMs: number | undefined, type: string): void {
    const id = asString(content.call_id) ?? '';
    const call = this.#calls.get(id) ?? { answeredBy: undefined, endedAtMs: undefined, signals: 0, isHere: false };
    if (type === 'm.call.answer') call.answeredBy = sender;
    else if (/^m\.call\.(?:hangup|reject)$/.test(type)) call.endedAtMs = Math.max(call.endedAtMs ?? 0, atMs ?? 0);
    call.signals += 1;
    this.#calls.set(id, call);
  }

  /** Whether anything belongs to the event. */
  isTarget = (id: string): boolean => this.#targets.has(id);

  /** Whether somebody deleted the event, as this file says, and why. */
  deletionOf(id: string): { readonly reason: string | undefined } | undefined {
    const found = this.#deletions.get(id);
    if (found) found.isHere = true;
    return found;
  }

  /** The last edit by who wrote the message: others cannot edit it. */
  editOf(id: string, sender: string | undefined): LastEdit | undefined {
    const found = this.#edits.get(id);
    if (found === undefined) return undefined;
    let last: Edit | undefined;
    // An event may stand in a file twice.
    const ids = new Set<string>();
    for (const edit of found.all) {
      if (edit.sender !== sender || this.deletionOf(edit.id)) continue;
      ids.add(edit.id);
      if (last === undefined || (edit.atMs ?? 0) >= (last.atMs ?? 0)) last = edit;
    }
    if (!found.isHere) this.#counts.add('matrix-earlier-version', 'earlier versions of edited messages', ids.size);
    found.isHere = true;
    if (last === undefined) return undefined;
    return { atMs: last.atMs, content: last.content === undefined ? undefined : (JSON.parse(last.content) as Content) };
  }

  /** Each emoji once, with who gave it; the same by the same person twice is one. */
  reactionsTo(id: string): Reaction[] | undefined {
    const found = this.#reactions.get(id);
    if (found === undefined) return undefined;
    found.isHere = true;
    const users = new Map<string, Set<string>>();
    for (const reaction of found.all.sort((a, b) => a.atMs - b.atMs)) {
      if (this.deletionOf(reaction.id)) continue;
      const emoji = reaction.what[0]!;
      users.set(emoji, (users.get(emoji) ?? new Set()).add(reaction.sender));
    }
    return [...users].map(([emoji, by]) => ({ emoji, users: [...by], count: by.size }));
  }

  /** How many chose each answer, by the last vote of each person. */
  votesOn(id: string): ReadonlyMap<string, number> {
    const votes = new Map<string, number>();
    const found = this.#votes.get(id);
    if (found === undefined) return votes;
    found.isHere = true;
    const last = new Map<string, Given>();
    for (const vote of found.all) {
      const before = last.get(vote.sender);
      if (!this.deletionOf(vote.id) && (before === undefined || vote.atMs >= before.atMs)) last.set(vote.sender, vote);
    }
    for (const { what } of last.values()) for (const answer of what) votes.set(answer, (votes.get(answer) ?? 0) + 1);
    return votes;
  }

  callOf(id: string | undefined): Readonly<Pick<Call, 'answeredBy' | 'endedAtMs'>> | undefined {
    const call = id === undefined ? undefined : this.#calls.get(id);
    if (call) call.isHere = true;
    return call;
  }

  /** Says what belongs to events that this file does not have. */
  end(path: string, into: Entry[]): void {
    const notes = new RowNotes();
    const say = (code: string, what: string, id: string) =>
      notes.add(code, `${what} "${id.slice(0, 80)}", which is not in this file`, { path }, into);
    for (const [id, { isHere }] of this.#deletions)
      if (!isHere) say('matrix-deleted-elsewhere', 'Somebody deleted', id);
    for (const [id, { all, isHere }] of this.#edits) {
      if (!isHere) for (const _ of all) say('matrix-edited-elsewhere', 'Somebody edited', id);
    }
    for (const [id, { all, isHere }] of this.#reactions)
      if (!isHere) for (const _ of all) say('matrix-answered-elsewhere', 'Somebody reacted to', id);
    for (const [id, { all, isHere }] of this.#votes)
      if (!isHere) for (const _ of all) say('matrix-answered-elsewhere', 'Somebody voted in', id);
    let signals = 0;
    for (const call of this.#calls.values()) signals += call.signals;
    this.#counts.add('matrix-not-carried', 'signals of calls', signals);
    notes.end(path, into);
  }
}

function add<T>(map: Map<string, Belonging<T>>, target: string, one: T): void {
  const found = map.get(target);
  if (found === undefined) map.set(target, { all: [one], isHere: false });
  else found.all.push(one);
}

/** The emoji of a reaction; a picture by its name. */
function emojiOf(content: Content): string | undefined {
  const key = asString(relationOf(content).key);
  if (!key?.startsWith('mxc://')) return key;
  const name = asString(firstOf(content, 'shortcode', 'com.beeper.reaction.shortcode'))?.replace(/^:|:$/g, '');
  return `:${name ?? 'custom'}:`;
}

function answersIn(content: Content): readonly string[] {
  const response = asObject<{ answers: unknown }>(
    firstOf(content, 'm.poll.response', 'org.matrix.msc3381.poll.response'),
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

/** Of a poll: the question, and answers by their ids. */
export function pollIn(content: Content) {
  const start = asObject<{ question: unknown; answers: unknown }>(
    firstOf(content, 'm.poll', 'm.poll.start', 'org.matrix.msc3381.poll.start'),
  );
  const answers = (Array.isArray(start?.answers) ? start.answers : []).map((value: unknown) => ({
    id: asString(asObject<{ id: string }>(value)?.id) ?? asString(asObject<Content>(value)?.['m.id' as never]),
    text: plainTextOf(value),
  }));
  return { question: plainTextOf(start?.question) ?? plainTextOf(content), answers };
}
