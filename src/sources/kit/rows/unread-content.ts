import { hasMembers, isObject } from '../../../lib/maps/objects.ts';

/** Fields that a reason names. */
const namesMax = 5;

/**
 * Returns the names of fields that hold something which no source reads, with its kind: `structured_msg: PANEL_TEMPLATE`, `content_attributes.items`.
 * Call it for a row without a text.
 */
export function findUnread(row: unknown): string[] {
  const found: string[] = [];
  addUnread(row, '', found);
  return found.slice(0, namesMax);
}

function addUnread(holder: unknown, path: string, found: string[]): void {
  for (const [key, field] of Object.entries(holder ?? {})) {
    if (!saying.test(key) && aboutMessage.some((known) => known.test(key))) continue;
    const value = typeof field === 'string' && /^\s*[[{]/.test(field) ? parsed(field) : (field as unknown);
    if (bags.test(key) && typeof value === 'object' && !Array.isArray(value)) addUnread(value, `${path}${key}.`, found);
    else if (typeof value === 'string' ? isSaid(key, value) : holdsAnything(value))
      found.push(path + key + describeKind(value));
  }
}

/** What a structure says of its kind; of a list, its first element. */
function describeKind(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof first !== 'object' || first === null) return '';
  const { type, kind } = first as { type?: unknown; kind?: unknown };
  const inner = Object.entries(first).flatMap(([key, part]) =>
    typeof part === 'object' && part !== null ? [key] : [],
  );
  const name = [type, kind, Array.isArray(value) ? inner[0] : undefined].find((one) => typeof one === 'string');
  return typeof name === 'string' ? `: ${name.slice(0, 60)}` : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A word at a message may be a mark; under one of these keys, of several words, or as JSON that is cut off, it is something said. */
const isSaid = (key: string, value: string): boolean =>
  !isEmptyWord(value) && (/\S\s+\S|^[[{]["[{]/.test(value) || saying.test(key));
const saying =
  /(?:text|title|caption|heading|body|html|content|description|question|label|words|fallback|content_sid)$|(?:image|photo|picture|media|file|video|audio|sticker|gif)_?ur[il]$/i;

/** A word or a number at any depth of a structure, other than an id. */
const holdsAnything = (value: unknown, depth = 0): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth > depthMax ||
    Object.entries(value).some(
      ([key, part]) =>
        !/(?:^|_)id$|[a-z]Id$/.test(key) && (isWord(part) || isNothing(part) || holdsAnything(part, depth + 1)),
    ));
/** No chat nests deeper: JSON that is text may. */
const depthMax = 64;

/** An object without fields is there for its name. */
const isNothing = (value: unknown): boolean => isObject(value) && !hasMembers(value);

/** Kinds of texts, and elements around one, say nothing where the text is empty. */
const isWord = (value: unknown): boolean =>
  typeof value === 'string' ? !isEmptyWord(value) : typeof value === 'number' && value !== 0;
function isEmptyWord(value: string): boolean {
  const text = value.trim();
  // A longer one is said, whatever it is, and a pattern takes long for it.
  if (text.length > emptyCharsMax) return false;
  return kindWords.test(text.replace(/^(?:\s|&nbsp;|<\/?(?:p|br|div|span)\b[^<>]{0,200}>)+/i, ''));
}
const emptyCharsMax = 1000;
const kindWords = /^(?:(?:plain_?|rich_?)?text(?:_\w+)?|plain|html|markdown|mrkdwn|paragraph|section|doc(?:ument)?)?$/i;

/** Objects around fields of the message, or of an app's or platform's own. */
const bags =
  /^(?:(?:content|additional|custom)_?(?:attributes|fields)|attributes|meta_?data|props|properties|custom|extra|data|meta|content|chat_message|message_content|item|post|message|chatItem)$/i;

/** Fields that say something about a message, and are nothing in it: ids, times, states, people, places, marks. */
const aboutMessage: readonly RegExp[] = [
  /(?:^|_)(?:u?id|ids|uuid|guid|sid|key|etag|hash|at|on|time|date|ts|timestamp|ur[il]s?|type|kind|status|state|by|name|subject|history|versions?|info|agent)$/,
  /[a-z](?:I[dD]s?|At|Time|Date|Timestamp|Ur[il]s?|Type|Kind|Status|State|By|Name|Subject|History|Versions?|Info|Agent)$/,
  /^_?(?:u|users?|from|to|[ft]oa|cc|bcc|senders?|authors?|creator|owner|customer|visitor|nickname|actor|admin|assign(?:ee|ed_?to)|members|recipients?|display_recipient|mentions|mentioned_users)$/i,
  /^_?(?:conversation|account|channels?|channelIdentity|room|team|workspace|thread|links|via|source|client|delivery(?:_medium)?|platform|device|lang(?:uage)?|event|action|flags|tags|incoming|outgoing|quote|replies|root|parent|m\.relates_to|labels|topic_links|restricted_visibility|permissions)$/i,
  /reactions?$|^reaction_|reply_to|referenced?$|references$|_error$|^error|^system$|^deletion_|expiration|^date|_from$|followers$|^starred$|^bot$|^entities$|^chatferry$|^timestamp$|^annotation$|(?:user|sender|receiver)details$|@odata|metaarray$|^signature$/i,
];
