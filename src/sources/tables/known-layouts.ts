import type { Finding, Proposal } from '../table-source.ts';
import { proposeBindings, type WholeTables } from './propose/propose.ts';
import type { TableSample } from './row.ts';

/** A binding that names this column first. */
type KnownBinding =
  | { readonly from: string; readonly format: string }
  // Without `otherwise`: as `internal`, a word that no row of the sample had makes its row invalid.
  | { readonly from: string; readonly values: Readonly<Record<string, string>> }
  | { readonly direction: string; readonly [key: string]: unknown };

/** A table that a service always writes alike: what its columns mean is known, whatever else may look like it. */
interface KnownLayout {
  /** Shown to the user. */
  readonly service: string;
  /** Columns that all have to exist: enough to identify the table. */
  readonly columns: readonly string[];
  /** The mapping's `source.messages`, as far as it is known; what names a column that is not there is left out. */
  readonly messages: Readonly<Record<string, string | KnownBinding>>;
  /** The format of its times, if that depends on their form. */
  readonly formatOf?: (time: string) => string;
  /** Rows that are messages, by a column that need not be there. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  /** Keys of `source.messages` that nothing in it may become, whatever columns are called. */
  readonly never?: readonly string[];
}

const each = (words: readonly string[], meaning: string): Readonly<Record<string, string>> =>
  Object.fromEntries(words.map((word) => [word, meaning]));

const crispTypes = ['text', 'file', 'animation', 'audio', 'picker', 'field', 'carousel'];
const hubspotEvents = ['ASSIGNMENT', 'THREAD_STATUS_CHANGE', 'THREAD_INBOX_CHANGE'];

const twilio = (product: string, service: string, conversation: string, author: string): KnownLayout => ({
  service: `Twilio ${product}`,
  columns: ['sid', conversation, service, author, 'body', 'date_created'],
  messages: { id: 'sid', conversation, author, time: { from: 'date_created', format: 'iso' }, text: 'body' },
  // Receipts change "date_updated" as well.
  never: ['edited'],
});

const layouts: readonly KnownLayout[] = [
  {
    service: 'iMessage (chat.db)',
    columns: ['guid', 'text', 'handle', 'date', 'is_from_me', 'chat_id'],
    messages: {
      id: 'guid',
      conversation: 'chat_id',
      author: { direction: 'is_from_me', ours: ['1'], theirs: ['0'], us: { constant: 'me' }, them: 'handle' },
      time: { from: 'date', format: 'apple-ns' },
      text: 'text',
      reply: 'thread_originator_guid',
    },
    // Until 2017 whole seconds.
    formatOf: (time) => (/^\d{1,10}$/.test(time) ? 'apple-s' : 'apple-ns'),
    // 2000 and more are reactions, which repeat the text: Loved "I am".
    only: { associated_message_type: ['0', ''] },
  },
  twilio('Conversations', 'chat_service_sid', 'conversation_sid', 'author'),
  twilio('Programmable Chat', 'service_sid', 'channel_sid', 'from'),
  {
    service: 'Mattermost (compliance export)',
    columns: ['Post Creation Time', 'Channel Id', 'Sender Username', 'Post Id', 'Post Message', 'Post Type'],
    messages: {
      id: 'Post Id',
      conversation: 'Channel Id',
      conversationName: 'Channel Display Name',
      author: 'Sender Username',
      time: { from: 'Post Creation Time', format: 'unix-ms' },
      text: 'Post Message',
      reply: 'Replied to Post Id',
    },
  },
  {
    service: 'Reddit (chat history)',
    columns: ['message_id', 'username', 'message', 'channel_url', 'subreddit', 'thread_parent_message_id'],
    messages: {
      id: 'message_id',
      conversation: 'channel_url',
      conversationName: 'channel_name',
      author: 'username',
      time: { from: 'created_at', format: 'iso' },
      text: 'message',
      reply: 'thread_parent_message_id',
    },
  },
  {
    service: 'Crisp',
    columns: ['session_id', 'website_id', 'fingerprint', 'content', 'type', 'timestamp', 'user.nickname'],
    messages: {
      id: 'fingerprint',
      conversation: 'session_id',
      author: 'user.user_id',
      authorName: 'user.nickname',
      time: { from: 'timestamp', format: 'unix-ms' },
      text: 'content',
      internal: { from: 'type', values: { ...each(crispTypes, 'visible'), event: 'visible', note: 'note' } },
      kind: { from: 'type', values: { ...each(crispTypes, 'message'), note: 'message', event: 'system' } },
    },
    // Whether the other side saw a stealthy one is not known.
    only: { stealth: ['false', ''] },
  },
  {
    service: 'Freshchat',
    columns: ['id', 'conversation_id', 'actor_type', 'actor_id', 'message_type', 'message_parts', 'created_time'],
    messages: {
      id: 'id',
      conversation: 'conversation_id',
      author: 'actor_id',
      time: { from: 'created_time', format: 'iso' },
      text: 'message_parts.0.text.content',
      internal: { from: 'message_type', values: { normal: 'visible', system: 'visible', private: 'note' } },
      kind: { from: 'message_type', values: { normal: 'message', system: 'system', private: 'message' } },
    },
    // Notes of bots are marked by these alone.
    only: { botsPrivateNote: ['false', ''], bots_private_note: ['false', ''] },
  },
  {
    service: 'HubSpot',
    columns: ['id', 'conversationsThreadId', 'createdBy', 'createdAt', 'text', 'type'],
    messages: {
      id: 'id',
      conversation: 'conversationsThreadId',
      author: 'createdBy',
      time: { from: 'createdAt', format: 'iso' },
      text: 'text',
      internal: {
        from: 'type',
        values: {
          MESSAGE: 'visible',
          WELCOME_MESSAGE: 'visible',
          COMMENT: 'note',
          ...each(hubspotEvents, 'automation'),
        },
      },
      kind: {
        from: 'type',
        values: { MESSAGE: 'message', WELCOME_MESSAGE: 'system', COMMENT: 'message', ...each(hubspotEvents, 'system') },
      },
    },
  },
];

/** `proposeBindings`, with what is certain because the layout is known; what the user has decided goes before it. */
export async function proposeTables<Table>(
  samples: readonly TableSample[],
  options: Readonly<Record<string, unknown>>,
  whole: WholeTables<Table>,
): Promise<Proposal> {
  const said = (options.messages ?? {}) as Readonly<Record<string, unknown>>;
  const layout = typeof said === 'object' ? layouts.find((one) => samples.some(hasColumns(one))) : undefined;
  const sample = layout && samples.find(hasColumns(layout));
  if (layout === undefined || sample === undefined) return proposeBindings(samples, options, whole);
  const names = namesIn(sample);
  const hasColumn = (column: string) => names.has(column.split('.0.')[0]!);
  const only = Object.entries(layout.only ?? {}).filter(([column]) => hasColumn(column));
  const known: readonly (readonly [string, unknown])[] = [
    ...Object.entries(layout.messages)
      .filter(([, value]) => hasColumn(columnOf(value)))
      .map(([key, value]) => [key, withFormat(value, layout, sample)] as const),
    ...(only.length > 0 ? [['only', Object.fromEntries(only)] as const] : []),
  ].filter(([key]) => said[key] === undefined);
  const messages = { ...said, ...Object.fromEntries(known) };
  const proposal = await proposeBindings(samples, { ...options, messages }, whole);
  const because = `the layout is that of ${layout.service}`;
  const findings = known.map(([key, value]): Finding => {
    const isRequired = key === 'conversation' || key === 'time';
    return { key: `messages.${key}`, value, because, alternatives: [], isRequired };
  });
  const isNever = (key: string) => said[key] === undefined && layout.never?.includes(key) === true;
  const bound = Object.entries(proposal.options.messages as object).filter(([key]) => !isNever(key));
  const rest = proposal.findings.filter(({ key }) => !isNever(key.replace('messages.', '')));
  return {
    ...proposal,
    options: { ...proposal.options, messages: Object.fromEntries(bound) },
    findings: [...findings, ...rest],
  };
}

const columnOf = (binding: string | KnownBinding): string =>
  typeof binding === 'string' ? binding : 'direction' in binding ? binding.direction : String(binding.from);

function withFormat(binding: string | KnownBinding, { formatOf }: KnownLayout, { rows }: TableSample): unknown {
  if (typeof binding === 'string' || 'direction' in binding || !('format' in binding) || !formatOf) return binding;
  const time = rows.map((row) => String(row.get(binding.from) ?? '').trim()).find(Boolean);
  return time === undefined ? binding : { ...binding, format: formatOf(time) };
}

const hasColumns =
  ({ columns }: KnownLayout) =>
  (sample: TableSample): boolean => {
    const names = namesIn(sample);
    return columns.every((column) => names.has(column));
  };

/** Rows of JSON need not have all their fields: those of the first hundred. */
const namesIn = ({ rows }: TableSample): ReadonlySet<string> =>
  new Set(rows.slice(0, 100).flatMap((row) => row.names()));
