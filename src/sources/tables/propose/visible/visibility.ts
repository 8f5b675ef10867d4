import { isYes, valueText } from '../../bind/value.ts';
import { type ColumnChoice, type ColumnProfile, count, textsIn } from '../columns.ts';

/**
 * Proposes to leave out rows that were not meant for everyone in the conversation, or that no one received: notes among
 * agents, whispers, drafts, rows that failed, were deleted or were hidden. They are left out unless the user decides
 * otherwise.
 *
 * | evidence | column | rows left out | |---|---|---| | the name hides, the values are yes and no | `is_private`,
 * `draft`, `agent_only` | those with yes | | the name shows, the values are yes and no | `public`, `is_visible` | those
 * with no | | the name says who or when | `hidden_at`, `removed_by` | those that have a value | | the name is of an
 * audience | `visible_to`, `visibility` | those with anything but all | | some of a few values hide | `status: draft`,
 * `type: note`; `type: COMMENT` if `MESSAGE` occurs too | those with these values |
 *
 * The proposal lists the values that may pass (`only`). A value that is not in the sample is therefore left out and
 * counted as well.
 */
export function proposeVisibility(columns: ColumnChoice): void {
  const { draft } = columns;
  const [only, skipWhen] = [draft.at('messages.only'), draft.at('messages.skipWhen')];
  const decided = [only, skipWhen].map(listColumns);
  // No column is named: the user has decided that all rows are sent.
  if (decided.some((names) => names?.length === 0) || (only !== undefined && skipWhen !== undefined)) return;
  const bound = new Set([...textsIn(draft.at('messages')), ...decided.flatMap((names) => names ?? [])]);
  // Fields around a list describe no single row.
  const isOwn = (name: string) => !bound.has(name) && !name.startsWith('$outer.');
  const marks = [...columns.names, ...columns.inside]
    .filter(isOwn)
    .flatMap((name) => findMark(columns.profile(name)) ?? [])
    .filter((mark) => !saysDeletedAgain(columns, mark));
  if (marks.length === 0) return;
  // A column that sorts rows into kinds may say more of them.
  for (const { column, isOfKinds } of marks) if (!isOfKinds) columns.use(column);
  const found = marks.filter(({ rows }) => rows > 0);
  // If the user has set what may pass, the remaining rules list what may not.
  const isAllowList = only === undefined;
  const rules = isAllowList ? marks : marks.filter(({ hiding }) => hiding.length > 0);
  if (rules.length === 0) return;
  draft.choose(isAllowList ? 'messages.only' : 'messages.skipWhen', {
    value: Object.fromEntries(rules.map(({ column, passing, hiding }) => [column, isAllowList ? passing : hiding])),
    because:
      found.length === 0
        ? `no row is marked by ${marks.map(({ column }) => `"${column}"`).join(', ')}`
        : `${found.map(inWords).join('; ')}: these rows were not for everybody, or were not delivered`,
    ...(found.length > 0 && {
      alternatives: [{ value: {}, because: 'send them like all others' }],
      isEvident: true as const,
    }),
  });
}

/** Returns whether all rows that the mark hides are already bound as deleted: `deleted_by` next to `deleted_at`. */
function saysDeletedAgain({ rows, draft }: ColumnChoice, { column, hiding }: Mark): boolean {
  const deleted = draft.at('messages.deleted');
  if (typeof deleted !== 'string' || hiding.length === 0) return false;
  const hidden = rows.filter((row) => hiding.includes(valueText(row.get(column))?.trim() ?? ''));
  return hidden.every((row) => isYes(row.get(deleted)));
}

/** The columns of conditions that the user has written. */
const listColumns = (conditions: unknown): readonly string[] | undefined =>
  typeof conditions === 'object' && conditions !== null ? Object.keys(conditions) : undefined;

/** A column by which rows are left out. */
interface Mark {
  readonly column: string;
  /** Texts of rows that may pass; an empty cell is the empty text. */
  readonly passing: readonly string[];
  readonly hiding: readonly string[];
  readonly isOfKinds?: boolean;
  /** Rows of the sample that are left out. */
  readonly rows: number;
}

const shownMax = 3;

const inWords = ({ column, hiding, rows }: Mark): string => {
  const shown = hiding.slice(0, shownMax).map((text) => JSON.stringify(text));
  const more = hiding.length > shownMax ? ', …' : '';
  return `"${column}" is ${shown.join(' or ')}${more} in ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;
};

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const yes = wordSet('1 t true y yes on ja wahr x');
const no = wordSet('0 f false n no off nein falsch null');
/** Words of columns and values that hide a row. English first, then German, Spanish, French. */
const hides = wordSet(
  'internal private privately note notes privatenote whisper whispered whispers ephemeral draft drafts queued scheduled pending unsent ' +
    'failed undelivered rejected bounced error canceled cancelled aborted hidden hide invisible deleted removed trashed retracted recalled withdrawn ' +
    'unpublished disapproved replaced superseded obsolete outdated spam shadow shadowbanned banned blocked moderated censored quarantined confidential secret restricted ' +
    'intern interne notiz entwurf versteckt geheim privat vertraulich gelöscht geloescht entfernt gesperrt ' +
    'interno privado nota borrador oculto eliminado interne privé brouillon caché supprimé',
);
/** Words of column names only: the people for whom such rows are meant. */
const insiders = wordSet('only agent agents staff staffonly agentonly agentsonly onlyagents internalonly');
const shows = wordSet(
  'public visible published approved shared öffentlich oeffentlich sichtbar publico público visible freigegeben',
);
const audiences = wordSet('visibility audience sichtbarkeit visibilidad visibilité viewers');
const everybody = wordSet(
  'all everyone everybody anyone public publicly shared open visible any both customer customers user users requester channel room group conversation ' +
    'öffentlich oeffentlich alle jeder publico público todos tous',
);
/** Columns that sort rows into kinds: there a word says what the row is. */
const sorts = wordSet(
  'type types kind kinds status state mode category class channel part scope level privacy access art typ zustand folder box label flag source',
);
/** Columns of these say something of a person or of the conversation, and not of the row. */
const others = wordSet('sender author user member from recipient receiver room conversation chat group thread');

const splitWords = (name: string): readonly string[] =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);

/** A voice note is a message. */
const hasHiding = (words: readonly string[]) =>
  (words.some((word) => hides.has(word)) && !words.some((word) => /^(?:voice|audio|video)$/.test(word))) ||
  (words.includes('not') && words.includes('sent'));

/** `sender_blocked` and `channel_private` say nothing of the row. */
const isOfOthers = (words: readonly string[]): boolean => {
  const [first = '', ...rest] = words.filter((word) => !/^(?:is|has|was)$/.test(word));
  return rest.length > 0 && (others.has(first) || first === 'channel');
};

function findMark(profile: ColumnProfile): Mark | undefined {
  const words = splitWords(profile.name);
  const texts = [...new Set([...profile.texts, ...(profile.allowed ?? [])])];
  // A column without values does not show which values will pass.
  if (profile.texts.length === 0 || isOfOthers(words)) return undefined;
  const isBoolean = texts.every((text) => yes.has(text.toLowerCase()) || no.has(text.toLowerCase()));
  const isWhoOrWhen =
    words.length > 1 && /^(?:by|at|on|for|until|date|time|am|von|user|userid|reason)$/.test(words.at(-1)!);
  const hiding = hasHiding(words) || words.filter((word) => insiders.has(word)).length > 1;
  if (isBoolean && hiding) return splitFlag(profile, (text) => yes.has(text));
  if (isBoolean && words.some((word) => shows.has(word))) return splitFlag(profile, (text) => no.has(text));
  if (isBoolean) return undefined;
  if (isWhoOrWhen && hasHiding(words)) return split(profile, (text) => text !== '');
  const isAudience = words.some((word) => audiences.has(word)) || (words.includes('visible') && words.length > 1);
  if (isAudience)
    return split(profile, (text) => text !== '' && !splitWords(text).every((word) => everybody.has(word)));
  return markOfWords(profile, words, texts);
}

/** Few values, of which some hide: a type, a status. */
function markOfWords(profile: ColumnProfile, name: readonly string[], texts: readonly string[]): Mark | undefined {
  const isSorting = name.some((word) => sorts.has(word)) || texts.length * 3 <= profile.texts.length;
  const areWords = texts.length <= 20 && texts.every((text) => text.length <= 40 && splitWords(text).length <= 3);
  if (!isSorting || !areWords) return undefined;
  // In a column about a person, most words describe the person. That the person wrote for their own colleagues
  // describes the row.
  const isOfPerson = name.some((word) => others.has(word));
  const isHiding = (words: readonly string[]) =>
    isOfPerson ? words.some((word) => /^(?:internal|whisper|note|notes|intern)$/.test(word)) : hasHiding(words);
  // HubSpot, for one, calls what agents write to each other comments.
  const isBesideMessages = texts.some((text) => text.toLowerCase() === 'message');
  const isComment = (text: string) => isBesideMessages && text.toLowerCase() === 'comment';
  const mark = split(profile, (text) => isHiding(splitWords(text)) || isComment(text));
  return mark.hiding.length > 0 ? { ...mark, isOfKinds: true } : undefined;
}

/**
 * The opposite of each word, in its spelling. If the sample holds only one of the two, the proposal passes or leaves
 * out the other as well.
 */
const opposites = new Map(
  ['0 1', 'f t', 'false true', 'n y', 'no yes', 'off on', 'nein ja', 'falsch wahr'].flatMap((pair) => {
    const [one, other] = pair.split(' ') as [string, string];
    const spelled = [
      [one, other],
      [capital(one), capital(other)],
      [one.toUpperCase(), other.toUpperCase()],
    ] as const;
    return spelled.flatMap(([a, b]) => [[a, b] as const, [b, a] as const]);
  }),
);

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Yes and no. @param isHiding Of a word in lower case. */
function splitFlag(profile: ColumnProfile, isHiding: (text: string) => boolean): Mark {
  const mark = split(profile, (text) => isHiding(text.toLowerCase()));
  const shown = mark.hiding.flatMap((text) => opposites.get(text) ?? []);
  return { ...mark, passing: [...new Set([...mark.passing, ...shown])] };
}

function split({ name, texts, allowed = [] }: ColumnProfile, isHiding: (text: string) => boolean): Mark {
  const found = new Set([...texts, ...allowed]);
  const hiding = [...found].filter((text) => isHiding(text));
  const passing = [...found].filter((text) => !isHiding(text));
  const rows = texts.filter((text) => isHiding(text)).length;
  return { column: name, passing: [...passing, ''], hiding, rows };
}
