import type { ReportData } from '../../report-data.ts';

type Loss = ReportData['losses'][number];

/** Kinds that people hardly notice. */
const details = new Set([
  ...['edit marks', 'earlier versions', 'deletion marks', 'reaction times', 'parts of a second', 'platform facts'],
  ...['split texts', 'metadata over the limit', 'columns', 'underlines', 'styles inside words', 'accidental Markdown'],
  ...['menus and fields', 'call details', 'details of cards', 'tokens of files', 'data of apps', 'roles'],
  ...['e-mail addresses', 'telephone numbers', 'handles', 'details of profiles', 'tags, links and roles of people'],
  ...[
    'large metadata',
    'shortened names',
    'shortened descriptions',
    'tags of groups',
    'creators',
    'topics',
    'bot marks',
  ],
]);

/** Kinds of which only a mark or a link is lost to the eye. Files, texts and access are missed although a name is kept of them. */
const hidden = new Set([
  ...['thread links', 'broadcasts', 'quotes', 'reactions', 'custom emoji', 'pins', 'mentions', 'system line marks'],
  ...['internal message marks', 'restricted message marks'],
]);

/** How much people notice of a loss: hidden is what the sentence says is kept. */
export function groupOf({ name, becomes }: Pick<Loss, 'name' | 'becomes'>): Loss['group'] {
  if (details.has(name)) return 'detail';
  return hidden.has(name) && /\bkept\b|data\.metadata/.test(becomes) ? 'hidden' : 'missed';
}

/** The setting of the mapping that changes what becomes of a loss, by the names of losses; the others have none. */
export const settings: Readonly<Record<string, string>> = {
  'thread links': 'messages.threads',
  'replies without their root': 'messages.orphans',
  reactions: 'messages.reactions',
  'custom emoji': 'messages.reactions',
  'edit marks': 'messages.edited',
  'edited messages left out': 'messages.edited',
  'deleted messages': 'messages.deleted',
  'deletion marks': 'messages.deleted',
  'files by reference': 'media.to',
  'files without an address': 'messages.attachments',
  'messages of files only': 'messages.onlyFiles',
  mentions: 'messages.mentions',
  'bot marks': 'people.bots',
  'system lines': 'messages.system',
  'system line marks': 'messages.system',
  'internal messages': 'messages.internal',
  'internal message marks': 'messages.internal',
  'restricted messages': 'messages.restricted',
  'restricted message marks': 'messages.restricted',
  calls: 'messages.calls',
  'call details': 'messages.calls',
  'platform facts': 'messages.custom',
  'cut texts': 'messages.overlong',
  'split texts': 'messages.overlong',
  guests: 'people.guests',
  'deactivated people': 'people.deleted',
  placeholders: 'people.unknownAuthors',
  'e-mail addresses': 'people.emailAs',
  'telephone numbers': 'people.phoneAs',
  'people who never wrote': 'people.everyone',
  'silent members': 'conversations.members',
  creators: 'conversations.owner',
  'passwords of groups': 'conversations.type',
};
