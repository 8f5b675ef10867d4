import { existsSync } from 'node:fs';
import { readStore, type Store } from '../store/open.ts';
import type { StagedItem } from '../model/staged-item.ts';
import { visibleLine } from '../lib/text/plain-text.ts';
import type { Mapping } from '../mapping/load.ts';
import { valueAt } from '../lib/settings.ts';
import type { Entry } from '../model/entry.ts';
import type { MessageRecord, UserRecord } from '../model/records.ts';
import { EntryMapper, type EntryMapperOptions } from '../plan/entry-mapper.ts';
import type { MessageLimits } from '../service/profiles.ts';
import { sourceNamed } from '../sources/late.ts';
import { utcTime } from './parts.ts';
import type { BeforeAfter } from './rows-with-messages.ts';

/** The result of mapping a message by some rules. */
export interface WhatIf {
  readonly verdict: MessageOutcome['verdict'];
  /** The rule or code by which it is not sent. */
  readonly reason: string | null;
  /** Time, author, conversation, text and what else is sent of it; nothing if it is not sent. */
  readonly parts: readonly (readonly [part: string, text: string])[];
  /** The first that is sent; null if none is, or it is shown nowhere. */
  readonly payload: unknown;
  readonly names: BeforeAfter['names'];
}

export const notSent = (verdict: WhatIf['verdict'], reason: string | null, names: WhatIf['names'] = {}): WhatIf => ({
  ...{ verdict, reason, names },
  ...{ parts: [], payload: null },
});

/** UTF-16 units of a value that are shown. */
const shownMax = 500;

export const cut = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);

export const shown = (text: string): string => visibleLine(cut(text));

type RecordEntry = Extract<Entry, { type: 'record' }>;

export class Trial {
  readonly #mapper: EntryMapper;
  readonly #options: EntryMapperOptions;
  readonly #items: StagedItem[] = [];
  readonly #names = new Map<string, string>();
  readonly #titles = new Map<string, string>();
  /** The two of the conversation, if it is one of two people. */
  #pair: readonly string[] = [];

  constructor(options: EntryMapperOptions) {
    this.#options = options;
    this.#mapper = new EntryMapper(options, (item) => this.#items.push(item));
  }

  /** Adds a record, and returns what it becomes. */
  add(entry: RecordEntry): readonly StagedItem[] {
    this.#items.length = 0;
    this.#mapper.add(entry);
    const { record } = entry;
    if (record.kind === 'user') this.#names.set(record.id, record.name);
    if (record.kind === 'conversation') {
      if (record.name !== '') this.#titles.set(record.id, record.name);
      for (const item of this.#items)
        if (item.type === 'conversation' && item.conversation.receiverType === 'user')
          this.#pair = item.conversation.people ?? [];
    }
    return this.#items;
  }

  /** Adds a message. */
  map(entry: RecordEntry): MessageOutcome {
    return summarizeOutcome(this.add(entry), this.#mapper);
  }

  /** @param isHidden Whether its text is shown nowhere. */
  outcome(entry: RecordEntry, isHidden = false): WhatIf {
    const outcome = this.map(entry);
    const { verdict, reason, payloads } = outcome;
    const record = entry.record as MessageRecord;
    const [author, conversation] = [this.#nameOf(record), this.#titles.get(record.origin.conversation)];
    const names = { ...(author && { author }), ...(conversation && { conversation }) };
    if (verdict !== 'planned') return notSent(verdict, reason, names);
    if (this.#options.mapping.rules.conversations.outsiders === 'reject' && this.#isOutsider(outcome))
      return notSent('invalid', 'outsider', names);
    const parts = this.#listParts(record, outcome, isHidden);
    return { verdict, reason: null, parts, payload: isHidden ? null : payloads[0], names };
  }

  #isOutsider({ sender }: MessageOutcome): boolean {
    return this.#pair.length > 0 && !this.#pair.some((id) => this.#mapper.uidOf(id) === sender);
  }

  #nameOf({ author = '', authorDetails }: MessageRecord): string | undefined {
    return this.#names.get(author) ?? this.#options.storedPerson?.(author)?.name ?? authorDetails?.name;
  }

  #listParts(
    record: MessageRecord,
    { payloads, sender, conversation }: MessageOutcome,
    isHidden: boolean,
  ): WhatIf['parts'] {
    const name = this.#nameOf(record);
    const data = payloads.map((payload) => valueAt(payload, ['data']));
    const files = data.flatMap((of) => (valueAt(of, ['attachments']) ?? []) as { readonly name?: string }[]);
    const kept = Object.keys((valueAt(data[0], ['metadata', 'chatferry']) ?? {}) as object);
    const parts: readonly (readonly [string, string])[] = [
      ['time', `${utcTime(record.sentAtMs)} UTC`],
      ['author', name === undefined ? (sender ?? '') : `${name} (${sender})`],
      ['conversation', conversation ?? ''],
      ...data.map((of): [string, string] => [
        'text',
        isHidden ? 'not shown: few may read it' : String(valueAt(of, ['text']) ?? ''),
      ]),
      ['files', files.map((file) => file.name ?? '').join(', ')],
      ['metadata', kept.join(', ')],
    ];
    return parts.flatMap(([part, text]) => (text === '' && part !== 'text' ? [] : [[part, shown(text)] as const]));
  }
}

/** The limits and the time by which a plan judged its messages. */
const judgedBy = (store: Store) => ({
  limits: JSON.parse(store.facts.read('limitsHash') ?? '{}') as MessageLimits,
  nowMs: Number(store.facts.read('judgedAt') ?? 0),
});

/** A trial by the state of a plan: people whom it knows are known. @param inputSource If it is not that of the store. */
export function trialIn(store: Store, inputSource: string | null, mapping: Mapping): Trial {
  const name = inputSource ?? store.facts.read('source') ?? '';
  return new Trial({
    ...judgedBy(store),
    mapping,
    isName: (id) => sourceNamed(name)?.isName?.(id) === true,
    hashed: mapping.rules.people.collisions === 'hash' ? store.people.withHashes() : undefined,
    stagedText: store.messages.isIndexed() ? (muid) => store.messages.text(muid) : undefined,
    storedPerson: (id) => store.people.find(id)?.record,
  });
}

/**
 * Whether a plan with a mapping sends a message, as far as the message alone decides: rules about its conversation, or about all messages
 * of the export, are not applied.
 *
 * @param storePath If there is a plan, its limits are those of the destination. @throws StoreError
 */
export function judgeRow(
  { message, names }: Pick<BeforeAfter, 'message' | 'names'>,
  mapping: Mapping,
  storePath: string | null,
): WhatIf {
  const judged = storePath === null || !existsSync(storePath) ? undefined : judgedIn(storePath);
  // Whose name is known was described by the export.
  const author: UserRecord | undefined =
    names.author === undefined ? undefined : { kind: 'user', id: message.author!, name: names.author };
  const storedPerson = (id: string) => (id === author?.id ? author : undefined);
  const trial = new Trial({ mapping, storedPerson, nowMs: message.sentAtMs, limits: {}, ...judged });
  return trial.outcome({ type: 'record', record: message, location: { path: '' } });
}

const judgedIn = (path: string): ReturnType<typeof judgedBy> | undefined =>
  readStore(path, (store) => {
    const isJudged = store.facts.read('limitsHash') !== undefined && store.facts.read('judgedAt') !== undefined;
    return isJudged ? judgedBy(store) : undefined;
  });

export interface MessageOutcome {
  readonly verdict: 'planned' | 'skipped' | 'invalid';
  /** The rule or code by which it is not sent. */
  readonly reason: string | null;
  /** Payloads without ids and times: one, or several if the text was split; none if nothing is sent. */
  readonly payloads: readonly unknown[];
  /** Uid; null for a row that could not be mapped. */
  readonly sender: string | null;
  /** Guid; null for a row that could not be mapped. */
  readonly conversation: string | null;
}

/** Returns what became of a message. @param items Everything that the mapper emitted for it. */
function summarizeOutcome(items: readonly StagedItem[], mapper: EntryMapper): MessageOutcome {
  const rows = items.flatMap((item) => (item.type === 'row' ? [item.row] : []));
  const { verdict, reason, sender, conversation } = rows[0]!;
  return {
    verdict,
    reason,
    payloads: rows.flatMap(({ payload }): unknown[] => (payload === null ? [] : [JSON.parse(payload)])),
    sender: sender === null ? null : mapper.uidOf(sender),
    conversation: conversation === null ? null : mapper.guidOf(conversation),
  };
}
