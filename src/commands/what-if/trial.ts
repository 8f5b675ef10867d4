import type { Store } from '../../checkpoint/open.ts';
import type { StagedItem } from '../../checkpoint/staging.ts';
import type { FoundMessage } from '../../checkpoint/totals.ts';
import { visibleLine } from '../../lib/text/plain-text.ts';
import type { Mapping } from '../../mapping/load-mapping.ts';
import { valueAt } from '../../mapping/settings.ts';
import type { Entry } from '../../model/entry.ts';
import type { MessageRecord } from '../../model/records.ts';
import { EntryMapper } from '../../plan/entry-mapper.ts';
import { type MessageOutcome, outcomeOfMessage } from '../../plan/outcome.ts';
import type { MessageLimits } from '../../service/profiles.ts';
import { sources } from '../../sources/registry.ts';

/** The result of mapping a message by some rules. */
export interface WhatIf {
  readonly verdict: MessageOutcome['verdict'];
  /** The rule or code by which it is not sent. */
  readonly reason: string | null;
  /** Time, author, conversation, text and what else is sent of it; nothing if it is not sent. */
  readonly parts: readonly (readonly [part: string, text: string])[];
}

/** UTF-16 units of a value that are shown. */
const shownMax = 500;

/** Text from an export on one line, cut. */
export const shown = (text: string): string =>
  visibleLine(text.length > shownMax ? `${text.slice(0, shownMax)}…` : text);

/** One message mapped by itself. People whom the plan knows are known. */
export class Trial {
  readonly #mapper: EntryMapper;
  readonly #mapping: Mapping;
  readonly #items: StagedItem[] = [];
  readonly #names = new Map<string, string>();
  /** The two of the conversation, if it is one of two people. */
  #pair: readonly string[] = [];

  constructor(store: Store, { inputSource }: Pick<FoundMessage, 'inputSource'>, mapping: Mapping) {
    const readStored = store.staging.storedPersonReader();
    const name = inputSource ?? store.readMeta('source');
    const adapter = sources.find((candidate) => candidate.name === name);
    this.#mapping = mapping;
    this.#mapper = new EntryMapper(
      {
        mapping,
        limits: JSON.parse(store.readMeta('limitsHash') ?? '{}') as MessageLimits,
        nowMs: Number(store.readMeta('judgedAt') ?? 0),
        isName: (id) => adapter?.isName?.(id) === true,
        hashed: mapping.rules.people.collisions === 'hash' ? store.staging.peopleWithHashes() : undefined,
        stagedText: store.staging.stagedTextReader(),
        storedPerson: (id) => readStored(id)?.record,
      },
      (item) => this.#items.push(item),
    );
    this.#nameOf = (id) => this.#names.get(id) ?? readStored(id)?.record.name;
  }

  readonly #nameOf: (id: string) => string | undefined;

  /** Adds a person or a conversation. */
  add(entry: Extract<Entry, { type: 'record' }>): void {
    this.#mapper.add(entry);
    const { record } = entry;
    if (record.kind === 'user') this.#names.set(record.id, record.name);
    for (const item of this.#items)
      if (item.type === 'conversation' && item.conversation.receiverType === 'user')
        this.#pair = item.conversation.people ?? [];
    this.#items.length = 0;
  }

  outcome(entry: Extract<Entry, { type: 'record' }>, { isHidden }: { readonly isHidden: boolean }): WhatIf {
    this.#items.length = 0;
    this.#mapper.add(entry);
    const record = entry.record as MessageRecord;
    const outcome = outcomeOfMessage(this.#items, this.#mapper);
    if (outcome.verdict !== 'planned') return { verdict: outcome.verdict, reason: outcome.reason, parts: [] };
    if (this.#mapping.rules.conversations.outsiders === 'reject' && this.#isOutsider(outcome))
      return { verdict: 'invalid', reason: 'outsider', parts: [] };
    return { verdict: 'planned', reason: null, parts: this.#partsOf(record, outcome, isHidden) };
  }

  #isOutsider({ sender }: MessageOutcome): boolean {
    return this.#pair.length > 0 && !this.#pair.some((id) => this.#mapper.uidOf(id) === sender);
  }

  #partsOf(
    record: MessageRecord,
    { payloads, sender, conversation }: MessageOutcome,
    isHidden: boolean,
  ): WhatIf['parts'] {
    const name = (record.author && this.#nameOf(record.author)) ?? record.authorDetails?.name;
    const data = payloads.map((payload) => valueAt(payload, ['data']));
    const files = data.flatMap((of) => (valueAt(of, ['attachments']) ?? []) as { readonly name?: string }[]);
    const kept = Object.keys((valueAt(data[0], ['metadata', 'chatferry']) ?? {}) as object);
    const parts: readonly (readonly [string, string])[] = [
      ['time', `${new Date(record.sentAtMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
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
