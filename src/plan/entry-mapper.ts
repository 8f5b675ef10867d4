import { askConversation, askMessage, askPerson, askRestricted, findCheck, type Finding } from '../mapping/checks.ts';
import type { StagedItem, StagedRow } from '../model/staged-item.ts';
import { concernsRun } from '../lib/errors.ts';
import { formatCount } from '../lib/text/count.ts';
import { formatLocation, formatPlace, type Location } from '../lib/text/location.ts';
import { toFileOrder } from '../mapping/payload.ts';
import { identifier, partMuid } from '../mapping/ids.ts';
import { type Filter, matches } from '../mapping/filter.ts';
import { isUsableUrl, type MessageLimits } from '../service/profiles.ts';
import type { Mapping } from '../mapping/load.ts';
import { withPlainAddresses } from '../model/plain-addresses.ts';
import { mapMessage, type MappedMessage, collectFacts, factsJson, withRewrittenUrls } from '../mapping/message.ts';
import type { Entry } from '../model/entry.ts';
import type { Attachment, ChatRecord, MessageRecord } from '../model/records.ts';
import { versionOfRecord } from '../model/record-digest.ts';
import type { RelationRecord } from '../model/relation.ts';
import { ConversationMapper, type KnownConversations } from './steps/conversation-mapper.ts';
import { type KnownPeople, type KnownPerson, PersonMapper, type PersonMapperOptions } from './person-mapper.ts';
import { RootLines } from './steps/root-lines.ts';

export interface EntryMapperOptions {
  readonly mapping: Mapping;
  readonly limits: MessageLimits;
  /** Wall time of the plan. */
  readonly nowMs: number;
  /** As the source has it; absent: no id is a name. */
  readonly isName?: ((userId: string) => boolean) | undefined;
  /** Who gave which reaction is staged with the message, to be replayed. */
  readonly replaysReactions?: boolean | undefined;
  /** Messages outside are skipped. */
  readonly only?: Filter | undefined;
  /** Ids of people whose uid gets a hash, because others have it. */
  readonly hashed?: ReadonlySet<string> | undefined;
  /** The text of a message that an earlier plan has staged. */
  readonly stagedText?: ((muid: string) => string | undefined) | undefined;
  /** Where people and conversations are held that were met. Default: in memory, about 300 bytes each. */
  readonly people?: KnownPeople | undefined;
  readonly conversations?: KnownConversations | undefined;
  /** Returns a person who was seen by an earlier plan. */
  readonly storedPerson?: PersonMapperOptions['storedPerson'];
  /** Called with an unexpected error that a row threw, for the log: the row itself is invalid. */
  readonly onUnforeseen?: ((error: unknown, location: Location) => void) | undefined;
}

type RecordEntry = Extract<Entry, { type: 'record' }>;
type ProblemEntry = Extract<Entry, { type: 'problem' }>;

/** The rule by which messages outside the filter are skipped. */
export const outsideOnly = 'outside --only';

/**
 * Turns entries into what is staged: maps each record, and makes up people and conversations that messages name and no
 * file describes. Knows no store.
 */
export class EntryMapper {
  readonly #options: EntryMapperOptions;
  readonly #context: Parameters<typeof mapMessage>[1];
  readonly #emit: (item: StagedItem) => void;
  readonly #people: PersonMapper;
  readonly #conversations: ConversationMapper;
  /** First lines of messages, where replies quote them. */
  readonly #rootLines: RootLines | undefined;
  /** Asks about people without making placeholders of them. */
  readonly #checkContext: Parameters<typeof askMessage>[1];
  readonly #identify = identifier();
  #location: Location = { path: '' };

  /** @param emit Gets the items of each entry, in order. */
  constructor(options: EntryMapperOptions, emit: (item: StagedItem) => void) {
    const { mapping, limits, nowMs, only, stagedText, hashed, storedPerson } = options;
    const { people = new Map(), conversations = new Map() } = options;
    this.#options = options;
    this.#emit = emit;
    this.#checkContext = {
      nowMs,
      isKnown: (userId) => this.#people.find(userId)?.isKnown === true,
      isName: (userId) => options.isName?.(userId) === true,
    };
    this.#people = new PersonMapper({
      mapping,
      hashed,
      people,
      storedPerson,
      isFiltered: only !== undefined,
      onPerson: (person, user) => {
        emit({ type: 'person', person });
        this.#report(askPerson(user, { ...this.#checkContext, uid: person.uid, hasHash: hashed?.has(user.id) }));
      },
      onFault: (fault) => this.#problem('module-failed', fault),
    });
    this.#conversations = new ConversationMapper({
      mapping,
      conversations,
      people: this.#people,
      isFiltered: only !== undefined,
      onConversation: (conversation, record, mapped) => {
        emit({ type: 'conversation', conversation });
        if (!mapped.isExcluded && !conversation.isPlaceholder)
          this.#report(askConversation(record, { ...this.#checkContext, ...mapped }));
      },
      onProblem: (code, reason, about) => this.#problem(code, reason, about && { about }),
    });
    this.#rootLines = mapping.rules.messages.threads === 'quote' ? new RootLines(stagedText) : undefined;
    this.#context = {
      rules: mapping.rules,
      limits,
      nowMs,
      uidOf: (userId) => this.#people.get(userId).uid,
      traitsOf: (userId) => this.#people.get(userId),
      rootLine: (muid) => this.#rootLines?.find(muid),
    };
  }

  /** Returns the uid of a person who was seen, by the id under which they are staged. */
  uidOf(sourceId: string): string {
    return this.#people.get(sourceId).uid;
  }

  /** The guid of a conversation that was met, by the id under which it is staged. */
  guidOf(sourceId: string): string {
    return this.#conversations.get(sourceId).guid;
  }

  add(entry: Exclude<Entry, { type: 'file' }>): void {
    this.#location = entry.location;
    if (entry.type === 'problem') this.#problem(entry.code, entry.reason, entry);
    else if (entry.type === 'invalid')
      this.#addUnread('invalid', entry.location, { ...entry, detail: entry.reason, reason: entry.code });
    else if (entry.type === 'skipped') this.#addUnread('skipped', entry.location, { reason: entry.rule });
    else if (entry.record.kind === 'message') this.#addMessage(entry.record, entry);
    else this.#addDescription(entry.record, entry.location);
    if ('cause' in entry && entry.cause !== undefined) this.#options.onUnforeseen?.(entry.cause, entry.location);
  }

  /** Adds a description. An error is noted as a problem at its location: messages that name it continue with a placeholder. */
  #addDescription(described: Exclude<ChatRecord, MessageRecord>, location: Location): void {
    try {
      const record = withPlainAddresses(described);
      if (record.kind === 'user') this.#people.add(record);
      else if (record.kind === 'conversation') this.#conversations.add(record);
      else this.#addRelation(record, location.path);
    } catch (error) {
      if (concernsRun(error)) throw error;
      this.#problem(notUnderstood, notUnderstoodReason(error));
      this.#options.onUnforeseen?.(error, location);
    }
  }

  /** Everything is worked out before the first of it is staged: a message that throws leaves nothing behind. */
  #addMessage(record: MessageRecord, { location, isZoneAssumed }: RecordEntry): void {
    let staged: StagedMessage;
    try {
      staged = this.#stage(withPlainAddresses(record), location, isZoneAssumed === true);
    } catch (error) {
      if (concernsRun(error)) throw error;
      const { conversation } = record.origin;
      this.#addUnread('invalid', location, { reason: notUnderstood, detail: notUnderstoodReason(error), conversation });
      this.#options.onUnforeseen?.(error, location);
      return;
    }
    const { path } = location;
    this.#emit({ type: 'row', path, row: staged.row });
    for (const row of staged.more) this.#emit({ type: 'row', path, row });
    this.#report(staged.findings);
    for (const host of staged.hosts) this.#emit({ type: 'host', path, host });
  }

  #stage(record: MessageRecord, location: Location, isZoneAssumed: boolean): StagedMessage {
    const identity = this.#identify(record);
    const { mapping } = this.#options;
    const sender = this.#people.author(record);
    const mapped = mapMessage(record, this.#context, mapping.module, identity);
    const rewritten = withRewrittenUrls(record, mapping.rules);
    const facts = collectFacts(rewritten, sender.isBot, isZoneAssumed);
    const leftOut = this.#leftOut(record, mapped, sender, facts ?? {});
    const verdict = leftOut === undefined ? mapped.verdict : 'skipped';
    const planned = leftOut === undefined && mapped.verdict === 'planned' ? mapped : undefined;
    const row: StagedRow = {
      muid: mapped.muid,
      source: record.origin.source,
      workspace: record.origin.workspace,
      conversation: this.#conversations.idOf(record.origin.conversation),
      sender: sender.sourceId,
      originId: record.origin.id,
      sentAtMs: record.sentAtMs,
      sortKey: record.sortKey,
      editedAtMs: record.edited ? (record.edited.atMs ?? 0) : null,
      recordDigest: identity.digest,
      version: versionOfRecord(record),
      verdict,
      reason: leftOut ?? (mapped.verdict === 'planned' ? null : mapped.reason),
      detail: verdict === 'invalid' && mapped.verdict === 'invalid' ? mapped.detail : null,
      payload: planned?.payload ?? null,
      rootMuid: mapped.rootMuid ?? null,
      facts: factsJson(facts, planned?.done),
      place: formatPlace(location),
      part: planned?.more ? 1 : undefined,
      files: planned ? this.#orderFiles(rewritten, planned.payload) : undefined,
      reactions: this.#options.replaysReactions && planned ? this.#listReactions(rewritten) : undefined,
    };
    let findings = planned ? askMessage(rewritten, this.#checkContext) : none;
    if (leftOut === undefined && mapping.rules.messages.restricted === 'ask')
      findings = [...findings, ...askRestricted(record, this.#checkContext)];
    if (planned?.done?.onlyFiles)
      findings = [...findings, { code: 'message-only-file', detail: formatNames(rewritten.attachments) }];
    const hosts = planned && rewritten.attachments ? listHosts(rewritten.attachments) : none;
    if (planned && this.#rootLines && record.threadRoot === undefined)
      this.#rootLines.remember(mapped.muid, planned.payload);
    const more = planned?.more?.map((payload, index) => toPart(row, payload, index + 2)) ?? none;
    return { row, more, findings, hosts };
  }

  /** Those that a request can name, of which the export says who gave them. */
  #listReactions({ reactions = [] }: MessageRecord): StagedRow['reactions'] {
    const given = reactions.filter(({ emoji, users }) => users.length > 0 && isSendable(emoji));
    if (given.length === 0) return undefined;
    return given.map(({ emoji, users }) => ({
      reaction: emoji.toWellFormed(),
      people: users.map((user) => this.#people.get(user).sourceId),
    }));
  }

  /**
   * Returns the files of the export, if the mapping leaves none out. A module may have changed anything: the files
   * count if its payload names them.
   */
  #orderFiles({ attachments }: MessageRecord, payload: string): string | undefined {
    const { rules, module } = this.#options.mapping;
    if (!attachments || rules.messages.attachments === 'drop') return undefined;
    const order = toFileOrder(attachments);
    if (!order || (module?.mapMessage && !payload.includes(unattachedFiles))) return undefined;
    return JSON.stringify(order);
  }

  /** Two accounts of one person are no friends. */
  #addRelation(record: RelationRecord, path: string): void {
    const relation = {
      ...record,
      from: this.#people.get(record.from).sourceId,
      to: this.#people.get(record.to).sourceId,
    };
    if (relation.from !== relation.to) this.#emit({ type: 'relation', path, relation });
  }

  /** The rule by which a message is left out whatever the mapping makes of it. */
  #leftOut(
    { origin, sentAtMs, text }: MessageRecord,
    mapped: MappedMessage,
    sender: KnownPerson,
    facts: Parameters<typeof factsJson>[0] & object,
  ): string | undefined {
    const conversation = this.#conversations.get(origin.conversation);
    const { only } = this.#options;
    if (only) {
      const isInside = matches(only, {
        muid: mapped.muid,
        originId: origin.id,
        conversationNames: conversation.filterNames,
        senderNames: sender.filterNames,
        sentAtMs,
        facts,
        text: () => (mapped.verdict === 'planned' ? textLength(mapped) : text),
      });
      if (!isInside) return outsideOnly;
    }
    return conversation.isExcluded ? 'conversation excluded' : undefined;
  }

  #report(findings: readonly Finding[]): void {
    for (const { code, detail } of findings) this.#problem(code, detail);
  }

  #problem(code: string, reason: string, { count = 1, about }: Pick<ProblemEntry, 'count' | 'about'> = {}): void {
    const { path } = this.#location;
    const staged = about && this.#stagedIds(code, about);
    // Whether they are one is decided if the mapping merges them.
    if (about && about.length > 1 && staged?.length === 1) return;
    this.#emit({ type: 'problem', path, code, reason, place: formatLocation(this.#location), count, about: staged });
  }

  #stagedIds(code: string, ids: readonly string[]): readonly string[] {
    const check = findCheck(code);
    const names = check?.severity === 'decision' && check.about === 'person' ? this.#people : this.#conversations;
    return [...new Set(ids.map((id) => names.idOf(id)))];
  }

  /** Null for a conversation that cannot be mapped, in whose place the row itself is what a person looks at. */
  #metConversation(id: string): string | null {
    try {
      this.#conversations.get(id);
      return this.#conversations.idOf(id);
    } catch (error) {
      if (concernsRun(error)) throw error;
      return null;
    }
  }

  /** A row that became no message. */
  #addUnread(
    verdict: 'invalid' | 'skipped',
    location: Location,
    {
      reason,
      detail = null,
      conversation,
    }: { readonly reason: string; readonly detail?: string | null; readonly conversation?: string },
  ): void {
    const row: StagedRow = {
      muid: null,
      source: null,
      workspace: null,
      conversation: conversation === undefined ? null : this.#metConversation(conversation),
      sender: null,
      originId: null,
      sentAtMs: null,
      sortKey: null,
      editedAtMs: null,
      recordDigest: null,
      verdict,
      reason,
      detail,
      payload: null,
      rootMuid: null,
      facts: null,
      place: formatPlace(location),
    };
    this.#emit({ type: 'row', path: location.path, row });
  }
}

interface StagedMessage {
  readonly row: StagedRow;
  /** Parts 2, 3 … of a message that was split. */
  readonly more: readonly StagedRow[];
  readonly findings: readonly Finding[];
  readonly hosts: readonly string[];
}

const none: readonly never[] = [];

/** The code of a row that threw. */
const notUnderstood = 'row-not-understood';

const notUnderstoodReason = (error: unknown): string =>
  `Cannot map this row: a value in it is not of the kind that the format has there (${error instanceof Error ? error.name : typeof error})`;

const listHosts = (attachments: readonly Attachment[]): readonly string[] =>
  attachments.flatMap(({ url }) => (isUsableUrl(url) ? [new URL(url).host] : []));

/** `"IMG-1.jpg"`, and how many more. */
const formatNames = ([first, ...others]: readonly Attachment[] = []): string =>
  `"${first?.name.slice(0, 80) ?? ''}"${others.length > 0 ? `, and ${formatCount(others.length)} more` : ''}`;

/** Found in the JSON of metadata that names files which are not attached. */
const unattachedFiles = '"files":[{"name":';

/** A reaction is a part of a path: no service can be asked for one that means a way up. */
const isSendable = (reaction: string): boolean => reaction !== '.' && reaction !== '..';

/** The text of a message as it is sent, all parts of it. */
const textLength = ({ payload, more = [] }: Extract<MappedMessage, { verdict: 'planned' }>): string =>
  [payload, ...more].map((part) => (JSON.parse(part) as { data: { text?: string } }).data.text ?? '').join('\n');

/** Part 2, 3 … of a message that was split: a row of its own, behind the first, which is the one that counts. */
const toPart = (row: StagedRow, payload: string, part: number): StagedRow => ({
  ...row,
  muid: partMuid(row.muid!, part),
  reactions: undefined,
  files: undefined,
  payload,
  part,
  rootMuid: null,
  facts: null,
});
