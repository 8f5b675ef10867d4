import { hasMembers } from '../../lib/maps/objects.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { Reaction } from '../../model/records.ts';
import { describeCards } from '../kit/text/cards.ts';
import { shownEmoji } from '../kit/text/emoji.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { asArray, asObject, asString, asWord, type Untrusted } from '../kit/narrow.ts';
import { countLost, type Lose } from '../kit/lost.ts';
import type { RowIdentity } from '../kit/rows/row-identity.ts';
import type { MattermostPost, MattermostProps, MattermostReaction } from './format.ts';
import { pastMs, readUsername } from './people.ts';
import { mattermostText } from './text.ts';

/** The post that a reply answers; without a time if that cannot be read. */
export interface RootPost {
  readonly id: string;
  readonly sentAtMs?: number | undefined;
}

/** The conversation of a post, and the names that its text may use. */
export interface MessageContext {
  readonly workspace: string;
  readonly conversation: string;
  userName(username: string): string | undefined;
  channelName(name: string): string | undefined;
}

/** Position of a post. */
export interface PostPlace {
  readonly around: MessageContext;
  /** Orders posts of the same millisecond. */
  readonly sortKey: string;
  /** Result of `idOf`. */
  readonly id: string;
  readonly root: RootPost | undefined;
  readonly author: string | undefined;
}

type Post = Untrusted<MattermostPost>;
type Props = Untrusted<MattermostProps>;

/** One post or reply as a message without its files, or why it is none. */
export function readMessage(post: Post, { around, sortKey, id, root, author }: PostPlace): NewMessage | RowProblem {
  const createdAtMs = pastMs(post.create_at);
  if (createdAtMs === undefined)
    return fieldProblem('mattermost-bad-time', '"create_at" in milliseconds', post.create_at);
  const props = asObject<MattermostProps>(post.props) ?? {};
  const type = asString(post.type);
  const { lost, lose } = countLost();
  const mentions: string[] = [];
  const context = { userName: around.userName, channelName: around.channelName, mentions, lose };
  const said = typeof post.message === 'string' ? post.message : '';
  const cards = props.attachments === undefined ? '' : describeCards(props.attachments, lose);
  const sentAtMs = Math.max(createdAtMs, root?.sentAtMs ?? 0);
  const text = mattermostText(cards === '' ? said : [said, cards].filter(Boolean).join('\n\n'), context);
  const custom = readCustom(type, props, lose);
  if (sentAtMs !== createdAtMs) custom.createdAt = new Date(createdAtMs).toISOString();
  const isSystem = type?.startsWith('system_') === true;
  const editedAtMs = pastMs(post.edit_at);
  const record = newMessage({
    origin: { source: 'mattermost', workspace: around.workspace, conversation: around.conversation, id },
    sortKey,
    sentAtMs,
    text,
    author,
    mentions: isSystem ? undefined : mentions,
    reactions: post.reactions ? readReactions(post.reactions) : undefined,
    threadRoot: root?.id,
    edited: editedAtMs === undefined ? undefined : { atMs: editedAtMs },
    systemEvent: isSystem ? type : undefined,
    call:
      type === 'custom_calls' ? { startedAtMs: pastMs(props.start_at), endedAtMs: pastMs(props.end_at) } : undefined,
    isPinned: post.is_pinned === true,
    custom,
    lost,
  });
  if (hasMembers(props))
    noteHidingMark(record, Object.fromEntries(Object.entries(props).filter(([key]) => !knownProps.has(key))));
  return record;
}

/**
 * Returns an id made of channel, author and time, and of the post that is answered, because messages have no ids. The
 * text is not part of it, or an edit would make another message. For webhooks and bots it is part, because they may
 * send several messages at once, and these may be far apart.
 */
export function idOf(
  post: Post,
  { conversation, root }: { readonly conversation: string; readonly root: RootPost | undefined },
  identity: RowIdentity,
): string {
  const { from_webhook, from_bot } = asObject<MattermostProps>(post.props) ?? {};
  const isOfProgram = isTrue(from_webhook) || isTrue(from_bot);
  const cells = [conversation, readUsername(post.user), asWord(post.create_at), root?.id];
  if (isOfProgram) cells.push(asWord(post.message));
  return identity.idOf(cells);
}

const isTrue = (value: unknown) => value === true || value === 'true';

/** Returns one reaction for each emoji. No field holds the time of a reaction. */
function readReactions(values: unknown): Reaction[] {
  const users = new Map<string, Set<string>>();
  for (const value of asArray(values)) {
    const reaction = asObject<MattermostReaction>(value);
    const emoji = asString(reaction?.emoji_name);
    const user = readUsername(reaction?.user);
    if (emoji === undefined || user === undefined) continue;
    const known = users.get(emoji);
    if (known) known.add(user);
    else users.set(emoji, new Set([user]));
  }
  return [...users].map(([emoji, who]) => ({ emoji: shownEmoji(emoji), users: [...who], count: who.size }));
}

/** Types that say nothing more than the post itself does. */
const plainTypes: ReadonlySet<string> = new Set(['me', 'slack_attachment', 'custom_calls']);

/** Props that are carried elsewhere, or hold for the client alone. */
const knownProps: ReadonlySet<string> = new Set([
  'attachments',
  'override_username',
  'disable_group_highlight',
  'mentionHighlightDisabled',
  'channel_mentions',
  'start_at',
  'end_at',
]);

/** Small facts that have no field; what is no word or number is data of an app. */
function readCustom(type: string | undefined, props: Props, lose: Lose): Record<string, string | number | boolean> {
  const custom: Record<string, string | number | boolean> = {};
  if (type !== undefined && !type.startsWith('system_') && !plainTypes.has(type)) custom.type = type;
  const shownAs = asString(props.override_username);
  if (shownAs !== undefined) custom.shownAs = shownAs;
  for (const key in props) {
    const value = (props as Record<string, unknown>)[key];
    if (knownProps.has(key) || value === null || value === '') continue;
    if (typeof value === 'object') lose('appData');
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') custom[key] = value;
  }
  return custom;
}
