import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import emoji from '../../../src/sources/kit/text/emoji.json' with { type: 'json' };
import type { PlannedRow } from '../../scenes/slack-rows.ts';

/**
 * The books of a Slack export, kept without any code of the source: every value of every raw row is found in what is planned for it,
 * or in a loss that its row is counted for, or in the list of fields below that mean nothing, each with its reason.
 */

/** Fields that mean nothing, by the end of their path. `*` stands for anything behind it. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the same in every row, or the kind of a thing that is found by what it says': [
    'type',
    'subtype',
    'attachments[].is_msg_unfurl',
    'blocks[].*.type',
    'blocks[].type',
    'item_type',
    'attachments[].mrkdwn_in[]',
    'attachments[].actions[].type',
    '*.emoji',
    '*.verbatim',
  ],
  'numbers things for the client, and nothing refers to them': [
    ...[
      'file.id',
      'files[].id',
      'client_msg_id',
      'attachments[].id',
      '*.block_id',
      '*.action_id',
      '*.callback_id',
      'attachments[].callback_id',
    ],
    ...[
      'app_id',
      'bot_profile.*',
      'team',
      'user_team',
      'source_team',
      'room.id',
      'room.call_family',
      'comment.id',
      'file.initial_comment.id',
    ],
  ],
  'how it looks, which Markdown says or a test of its own compares': [
    ...[
      '*.style.bold',
      '*.style.italic',
      '*.style.strike',
      '*.style.code',
      '*.style',
      '*.border',
      '*.indent',
      '*.offset',
    ],
    ...['*.short', '*.wrapText', '*.format', '*.column_settings[].align', '*.column_settings[].is_wrapped'],
    ...['attachments[].image_width', 'attachments[].image_height', 'attachments[].image_bytes', '*.value'],
  ],
  'what it stands for stands in the text': ['*.unicode', '*.name', '*.skin_tone', '*.usergroup_id', '*.channel_id'],
  'who wrote it, which the author says': ['bot_id'],
  'the name under which a file was uploaded, or what kind it is: its row, its name and its type say so': [
    ...['upload', 'display_as_bot', 'x_files[]', 'file.display_as_bot', 'files[].display_as_bot'],
    ...[
      '*.filetype',
      '*.pretty_type',
      '*.mode',
      '*.file_access',
      '*.external_type',
      '*.is_external',
      '*.editable',
      '*.access',
    ],
  ],
  'another picture, page or size of the file: its address is kept': [
    ...[
      '*.thumb_*',
      '*.original_w',
      '*.original_h',
      '*.image_exif_rotation',
      '*.permalink',
      '*.permalink_public',
      '*.edit_link',
    ],
    ...['*.url_private_download', '*.url_static_preview', '*.has_rich_preview', '*.title'],
  ],
  'rights, counts and versions of a file in the old system': [
    ...[
      '*.is_public',
      '*.public_url_shared',
      '*.skipped_shares',
      '*.comments_count',
      '*.state',
      '*.is_ai_suggested',
      '*.is_starred',
    ],
    ...[
      '*.is_restricted_sharing_enabled',
      '*.org_or_workspace_access',
      '*.team_pref_version_history_enabled',
      '*.update_notification',
    ],
    ...[
      '*.canvas_*',
      '*.quip_thread_id',
      '*.source_canvas_id',
      '*.title_blocks[].*',
      '*.created',
      '*.timestamp',
      '*.updated',
    ],
    ...[
      '*.editor',
      '*.last_editor',
      'file.user',
      'files[].user',
      '*.channels[]',
      '*.size',
      'files[].user_team',
      'file.username',
    ],
  ],
  'a copy of what stands elsewhere: in the row of the root, in the conversation, in the list of people': [
    ...[
      'root.*',
      'parent_user_id',
      'reply_count',
      'reply_users[]',
      'reply_users_count',
      'latest_reply',
      'replies[].*',
      'subscribed',
    ],
    ...[
      'channel_name',
      'members[]',
      'username',
      'user_profile.*',
      'old_name',
      'is_intro',
      'comment.is_intro',
      'file.initial_comment.is_intro',
    ],
    ...[
      'comment.timestamp',
      'comment.created',
      'file.initial_comment.timestamp',
      'file.initial_comment.created',
      'file.initial_comment.user',
    ],
    ...[
      'icons.*',
      'file.reactions[].*',
      'last_read',
      'is_locked',
      'pinned_to[]',
      'pinned_info.*',
      'no_notifications',
      'permalink',
    ],
    ...[
      'attachments[].channel_name',
      'attachments[].author_id',
      'attachments[].channel_id',
      'attachments[].ts',
      'attachments[].channel_team',
    ],
    ...[
      'attachments[].is_share',
      'attachments[].author_link',
      'attachments[].service_name',
      'attachments[].from_url',
      'event_ts',
      'channel',
    ],
  ],
};

/** Losses that hold what is not planned: by the name of the count in the facts of the row, and the end of the path. */
const losses: Readonly<Record<string, readonly string[]>> = {
  edited: ['edited.user'],
  snippets: ['*.preview', '*.preview_highlight', '*.lines', '*.lines_more', '*.preview_is_truncated', '*.plain_text'],
  cardDetails: [
    ...[
      'thumb_url',
      'thumb_width',
      'thumb_height',
      'color',
      'footer_icon',
      'author_icon',
      'author_subname',
      'ts',
      'service_icon',
    ].map((field) => `attachments[].${field}`),
    ...['video_url', 'video_html', 'video_html_width', 'video_html_height'].map((field) => `attachments[].${field}`),
  ],
  appData: ['metadata.*'],
  menus: [
    '*.options[].*',
    '*.option_groups[].*',
    '*.initial_date',
    '*.initial_option.*',
    '*.placeholder.text',
    'attachments[].actions[].*',
  ],
  underlines: ['*.style.underline'],
  fileTokens: ['*.url_private'],
  calls: ['room.*', 'channel', 'no_notifications', 'permalink', 'user'],
  system: ['user'],
  deleted: ['hidden', 'user'],
  filesWithoutAddress: ['*.mimetype'],
  // Kept as keys of messages, not shown: the reason why there is a loss.
  replies: ['thread_ts', 'broadcast_thread_ts'],
  reactions: ['reactions[].*'],
};

/** A value of a raw row, with its path: `attachments[].fields[].title`. */
interface Leaf {
  readonly path: string;
  readonly value: unknown;
  /** The card of `attachments` that contains it. */
  readonly card: Readonly<Record<string, unknown>> | undefined;
}

export function* leavesOf(value: unknown, path = '', card?: Leaf['card']): Generator<Leaf> {
  if (Array.isArray(value)) {
    for (const item of value)
      yield* leavesOf(item, `${path}[]`, path === 'attachments' ? (item as Leaf['card']) : card);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value))
      yield* leavesOf(inner, path === '' ? key : `${path}.${key}`, card);
  } else yield { path, value, card };
}

/** The raw rows that `chatferry fetch` wrote, in a file for each conversation, by conversation id and `ts`. */
export function fetchedRows(folder: string): Map<string, Record<string, unknown>> {
  const rows = new Map<string, Record<string, unknown>>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/^(?:history|replies)\/[^/]+\.ndjson$/.test(path)) continue;
    for (const line of readFileSync(join(folder, path), 'utf8').split('\n').filter(Boolean)) {
      const row = JSON.parse(line) as Record<string, unknown>;
      rows.set(`${basename(path, '.ndjson')} ${String(row.ts)}`, row);
    }
  }
  return rows;
}

/** The raw rows of an export with a folder for each conversation, by conversation id and `ts`. */
export function rawRows(folder: string): Map<string, Record<string, unknown>> {
  const ids = new Map<string, string>();
  for (const list of ['channels.json', 'groups.json', 'dms.json', 'mpims.json']) {
    for (const { id, name } of readJson(join(folder, list)) as { id: string; name?: string }[]) ids.set(name ?? id, id);
  }
  const rows = new Map<string, Record<string, unknown>>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/^[^/]+\/\d{4}-\d\d-\d\d\.json$/.test(path)) continue;
    for (const row of readJson(join(folder, path)) as Record<string, unknown>[]) {
      // A note about a changed message holds its new version, one about a deleted message the last.
      const inner = (row.message ?? row.previous_message) as typeof row | undefined;
      const ts = inner ? (row.deleted_ts ?? inner.ts) : row.ts;
      rows.set(`${ids.get(basename(dirname(path)))} ${String(ts)}`, inner ?? row);
    }
  }
  return rows;
}

function readJson(path: string): unknown[] {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown[];
  } catch {
    return [];
  }
}

export type Account = 'planned' | 'absent' | 'loss' | 'meaningless' | 'missing';

/** Returns how a value of a row is accounted for. */
export function accountOf(leaf: Leaf, row: Record<string, unknown>, planned: PlannedRow): Account {
  const { path, value, card } = leaf;
  // Says that something is not.
  if (value === null || value === '' || value === false) return 'absent';
  if (card && isSurvey(card) && planned.facts.previews !== undefined) return 'loss';
  const lost = Object.entries(losses).some(
    ([part, ends]) => planned.facts[part] !== undefined && ends.some((end) => matches(path, end)),
  );
  if (isIn(value, planned)) return 'planned';
  if (lost) return 'loss';
  if (Object.values(meaningless).some((ends) => ends.some((end) => matches(path, end)))) return 'meaningless';
  return isPoorer(leaf, row) ? 'meaningless' : 'missing';
}

/** Returns whether Slack shows a value only where it cannot show the rest: notifications, and clients without cards. */
const isPoorer = ({ path, card }: Leaf, row: Record<string, unknown>): boolean =>
  // The file that a comment is about is in a row of its own.
  (path.startsWith('file.') && row.comment !== undefined) ||
  (path === 'text' && (row.blocks !== undefined || row.comment !== undefined || row.file !== undefined)) ||
  (path.startsWith('attachments[]') && path.endsWith('.fallback') && Object.keys(card ?? {}).length > 1);

const isSurvey = (card: Readonly<Record<string, unknown>>): boolean =>
  card.is_share !== true &&
  ['from_url', 'original_url', 'app_unfurl_url', 'is_app_unfurl', 'is_msg_unfurl'].some((field) => card[field]);

function matches(path: string, end: string): boolean {
  const [before = '', after] = end.split('*', 2);
  if (after === undefined) return path === end;
  if (before === '' && end.startsWith('*.') && !end.slice(1).includes('*')) return path.endsWith(end.slice(1));
  const escaped = end.split('*').map((part) => part.replace(/[.[\]]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`).test(path);
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const haystacks = new WeakMap<PlannedRow, { readonly words: ReadonlySet<string>; readonly all: string }>();

/** Everything that is planned of a row, as words. */
function haystackOf(planned: PlannedRow) {
  let haystack = haystacks.get(planned);
  if (!haystack) {
    const { conversation, id, author, payload } = planned;
    const seconds = String(Math.floor(Number(id)));
    const strings = [...leavesOf(payload)].map(({ value }) => String(value));
    const all = [conversation, id, author, seconds, ...strings].join('\n');
    haystack = { words: new Set(wordsOf(decodeURI_(all))), all };
    haystacks.set(planned, haystack);
  }
  return haystack;
}

const decodeURI_ = (text: string) => text.replace(/%20|%28|%29/g, ' ');

function isIn(value: unknown, planned: PlannedRow): boolean {
  const { words, all } = haystackOf(planned);
  if (typeof value === 'boolean') return false;
  const text = String(value);
  const has = (part: string) => wordsOf(decodeURI_(part)).every((word) => words.has(word));
  // A time with its fraction: the model keeps milliseconds, the service seconds.
  if (/^\d{10}\.\d{6}$/.test(text)) return has(text) || words.has(text.slice(0, 10));
  const reaction = emojiNamed(text);
  if (reaction !== undefined && all.includes(reaction)) return true;
  return has(readable(text, all));
}

const byName: Readonly<Record<string, string>> = emoji;
const emojiNamed = (name: string): string | undefined => byName[name.split('::')[0]!];

/** Slack's text without its markup: of what it refers to, what a person should see of it. */
function readable(text: string, all: string): string {
  return text
    .replace(/<([^<>\n]+)>/g, (_, inner: string) => {
      const [target = '', label] = inner.split('|');
      if (/^[@#]/.test(target)) return all.includes(target[0]!) ? ' ' : inner;
      if (target.startsWith('!')) return label ?? ' ';
      return ` ${target.replace(/^mailto:/, '')} ${label ?? ''} `;
    })
    .replace(/:([a-z0-9_+'-]+):(?::skin-tone-[2-6]:)?/g, (whole, name: string) =>
      emojiNamed(name) !== undefined ? ' ' : whole,
    )
    .replace(/&(?:amp|lt|gt);/g, ' ');
}
