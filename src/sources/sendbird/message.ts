import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Attachment, Json, Reaction } from '../../model/records.ts';
import { readFlag } from '../../model/visibility-words.ts';
import { compact } from '../kit/compact.ts';
import { shownEmoji } from '../kit/text/emoji.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import {
  asArray,
  asId,
  asNumber,
  asObject,
  asString,
  asStrings,
  asWord,
  describe,
  type Untrusted,
} from '../kit/narrow.ts';
import { countLost, type Lose } from '../kit/lost.ts';
import { listWords } from '../kit/text/structure-words.ts';
import { pollText } from '../kit/text/poll-text.ts';
import {
  countOf,
  parseData,
  isSaid,
  parseObject,
  type SendbirdFile,
  type SendbirdMessage,
  type SendbirdPoll,
  type Times,
} from './format.ts';

type Row = Untrusted<SendbirdMessage>;

/** Context of the file that a message needs. */
export interface MessagePlace {
  readonly workspace: string;
  /** The channel of the file, if the message does not name it. */
  readonly channelUrl: string | undefined;
  readonly times: Times;
  /**
   * Describes a person of whom the message has a whole object.
   *
   * @returns the id.
   */
  see(person: unknown): string | undefined;
  nameOf(id: string): string | undefined;
  /** Counts what is not migrated. */
  count(what: string): void;
}

/** A row as a message, or why it is none. */
export function readMessage(row: Row, place: MessagePlace): NewMessage | RowProblem {
  const id = asId(row.message_id);
  const conversation = asString(row.channel_url) ?? place.channelUrl;
  const sentAtMs = place.times(row.created_at);
  if (id === undefined) return fieldProblem('missing-id', '"message_id"', row.message_id);
  if (conversation === undefined) return fieldProblem('sendbird-no-channel', '"channel_url"', row.channel_url);
  if (sentAtMs === undefined) return fieldProblem('sendbird-bad-time', '"created_at" in milliseconds', row.created_at);
  const unclear = (['is_removed', 'is_reply_to_channel'] as const).find(
    (key) => isSaid(row[key]) && readFlag(row[key]) === undefined,
  );
  if (unclear !== undefined)
    return {
      code: 'sendbird-bad-row',
      reason: `Expected "${unclear}" to be true or false, found ${describe(row[unclear])}`,
    };
  const author = place.see(row.user);
  const mentions = asArray(parseData(row.mentioned_users)).flatMap((person) => place.see(person) ?? []);
  const text = sendbirdText(row, place);
  const { lost, lose } = countLost();
  const attachments = listFiles(row, place, lose);
  if (isSaid(parseData(row.og_tag))) lose('previews');
  if (isSaid(parseData(row.extended_message_payload)) && text !== templateWords(row)) lose('appData');
  const root = asId(row.parent_message_id);
  const threadRoot = root === '0' ? undefined : root;
  const editedAtMs = place.times(row.updated_at);
  const isDeleted = isTrue(row.is_removed);
  if (asNumber(row.message_survival_seconds) > 0) place.count('messages that vanish after a time');
  const record = newMessage({
    origin: { source: 'sendbird', workspace: place.workspace, conversation, id },
    // Ids grow with time, over all files of an application.
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    text,
    author,
    mentions: [...new Set(mentions)],
    attachments,
    reactions: asArray(parseData(row.reactions)).flatMap((value) => readReaction(value) ?? []),
    threadRoot,
    isBroadcast: threadRoot !== undefined && isTrue(row.is_reply_to_channel),
    edited: editedAtMs === undefined || isDeleted ? undefined : { atMs: editedAtMs },
    version: { markedAtMs: lastReactionMs(row, place) || undefined },
    isDeleted,
    systemEvent: row.type === 'ADMM' || row.type === 'BRDM' ? row.type : undefined,
    custom: readCustom(row),
    lost,
  });
  noteHidingMark(record, {
    extended_message_payload: row.extended_message_payload,
    file: asObject<SendbirdFile>(row.file)?.data,
  });
  return record;
}

/** The text, with the people whom it mentions by the names that are shown, and what was asked in a poll. */
function sendbirdText(row: Row, place: MessagePlace): string {
  const template = asString(row.mentioned_message_template);
  const own = template?.replace(/@\{([^{}\s]{1,80})\}/g, (all, id: string) => {
    const name = place.nameOf(id);
    return name === undefined ? all : `@${name}`;
  });
  const text = own ?? (typeof row.message === 'string' ? row.message : '');
  const poll = parseObject<SendbirdPoll>(row.poll);
  const said = poll === undefined ? text : [text, textOfPoll(poll)].filter(Boolean).join('\n\n');
  return said === '' ? templateWords(row) : said;
}

/** The words of a message template: each variable is shown. */
function templateWords(row: Row): string {
  const { template } = parseObject<{ template: unknown }>(row.extended_message_payload) ?? {};
  const { variables } = parseObject<{ variables: unknown }>(template) ?? {};
  return listWords(parseData(variables), /./).join('\n');
}

function textOfPoll({ title, options }: Untrusted<SendbirdPoll>): string {
  const answers = asArray(options).map((value) => {
    const { text, vote_count } = asObject<SendbirdPoll['options'][number]>(value) ?? {};
    return { text, votes: countOf(vote_count) };
  });
  return pollText({ question: asString(title), options: answers });
}

const isTrue = (value: unknown) => readFlag(value) === true;

/** Keys are emoji, names of them, or ids of pictures of the app: `sendbird_emoji_thumbsup`. */
function readReaction(value: unknown): Reaction | undefined {
  const { key, user_ids } = asObject<SendbirdMessage['reactions'][number]>(value) ?? {};
  const name = asString(key)?.replace(/^sendbird_emoji_/, '');
  const users = asStrings(user_ids);
  if (!name || users.length === 0) return undefined;
  return { emoji: /^[\w+:-]+$/.test(name) ? shownEmoji(name) : name, users, count: users.length };
}

/** When a reaction was given or taken back last, as far as the row says; 0 where it does not. */
const lastReactionMs = (row: Row, { times }: MessagePlace): number =>
  Math.max(
    0,
    ...asArray(parseData(row.reactions)).map(
      (value) => times(asObject<SendbirdMessage['reactions'][number]>(value)?.updated_at) ?? 0,
    ),
  );

const lastPart = (url: string) => url.split(/[?#]/, 1)[0]!.split('/').at(-1);

/** Returns the files: one file is in a field, several are in a list, or their fields are in the message. */
function listFiles(row: Row, place: MessagePlace, lose: Lose): Attachment[] {
  const own = row as Untrusted<SendbirdFile>;
  const listed = asArray(parseData(row.files)).map((value) => parseObject<SendbirdFile>(value));
  const single =
    parseObject<SendbirdFile>(row.file) ?? (asString(own.url) === undefined ? undefined : { ...own, type: undefined });
  return (listed.length > 0 ? listed : [single]).flatMap((file) => {
    const url = asString(file?.url);
    const name = asString(file?.name) ?? asString(file?.file_name) ?? (url && lastPart(url));
    if (file === undefined || !name) return [];
    if (isTrue(file.require_auth)) place.count('files that need a token of the app');
    if (isSaid(file.data) && file.data !== row.data) lose('appData');
    return [
      compact<Attachment>({
        name,
        url,
        mimeType: asString(file.type) ?? asString(file.file_type),
        sizeBytes: countOf(file.size) ?? countOf(file.file_size),
      }),
    ];
  });
}

function readCustom(row: Row): Readonly<Record<string, Json | undefined>> {
  const data = parseData(row.data);
  const pairs = asArray(parseData(row.sorted_metaarray)).map((value) => {
    const { key, value: values } = asObject<SendbirdMessage['sorted_metaarray'][number]>(value) ?? {};
    return [asWord(key), values ?? []] as const;
  });
  return {
    type: asString(row.custom_type),
    data: isSaid(data) ? (data as Json) : undefined,
    metaarray: pairs.length > 0 ? (Object.fromEntries(pairs) as Json) : undefined,
    translations: parseObject<Record<string, string>>(row.translations) as Json | undefined,
  };
}
