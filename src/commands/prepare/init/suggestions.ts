import { mapConversation } from '../../../mapping/conversation.ts';
import { mapPerson } from '../../../mapping/person.ts';
import type { Rules } from '../../../mapping/rules.ts';
import { countOf, formatDay } from '../../../report/format.ts';
import { commentText, yamlEntry, yamlLine } from '../../../lib/settings.ts';
import type { Survey, SurveyedConversation, UnresolvedPerson } from '../../../decisions/survey.ts';

/** A decision that the user may want to make: YAML ready to use, and a reason for it. */
export interface Suggestion {
  /** The key of a table, or the element of a list. */
  readonly subject: string;
  /** Lines for the file, one or two. */
  readonly lines: readonly string[];
  /** From the export, made harmless. */
  readonly note: string;
}

/** The tables and lists of a mapping that `init` fills with suggestions, and what is said above them. */
export interface SuggestionList {
  readonly path: readonly [section: 'people' | 'conversations', key: 'uids' | 'guids' | 'exclude'];
  readonly kind: 'table' | 'list';
  readonly because: string;
  /** Suggestions that a file has room for: the first few, most messages first. */
  readonly suggestions: readonly Suggestion[];
  /** Those that come after them, made when they are asked for. */
  more(): Iterable<Suggestion>;
}

/** Number of suggestions of each list in the mapping itself: enough to decide what matters, few enough to read. */
const shownMax = 200;

/** Everything that the survey gives reason to decide. */
export function suggestionsFor({ people, conversations }: Survey, rules: Rules): SuggestionList[] {
  const groups = conversations.filter(({ type }) => type !== 'direct');
  return [
    {
      path: ['people', 'uids'],
      kind: 'table',
      because:
        'No file of the export describes these people. Take the "#" away to give one the uid they have in your app:',
      ...split(people, (person) => suggestUid(person, rules)),
    },
    {
      path: ['conversations', 'guids'],
      kind: 'table',
      because: 'Groups with the guids that they get. Take the "#" away to give one another:',
      ...split(groups, (conversation) => suggestGuid(conversation, rules)),
    },
    {
      path: ['conversations', 'exclude'],
      kind: 'list',
      because: 'All conversations. Take the "#" away to leave one out:',
      ...split(conversations, suggestExclusion),
    },
  ];
}

function split<T>(all: readonly T[], suggest: (one: T) => Suggestion): Pick<SuggestionList, 'suggestions' | 'more'> {
  return {
    suggestions: all.slice(0, shownMax).map(suggest),
    *more() {
      for (let index = shownMax; index < all.length; index++) yield suggest(all[index]!);
    },
  };
}

/** Returns a suggestion as comment lines. There is no space after the "#", so that an uncommented line has the right indentation. */
export function commentedOut({ lines, note }: Suggestion): string[] {
  return lines.map((line, index) => `#${line}${index === lines.length - 1 ? `  # ${note}` : ''}`);
}

function suggestUid({ id, name, wrote, received }: UnresolvedPerson, rules: Rules): Suggestion {
  const { uid } = mapPerson({ kind: 'user', id, name: name || id, isPlaceholder: true }, rules);
  const counts = [
    ...(wrote > 0 ? [`wrote ${countOf(wrote, 'message')}`] : []),
    ...(received > 0 ? [`got ${countOf(received, 'direct message')}`] : []),
  ].join(', ');
  return { subject: id, lines: yamlEntry(id, uid), note: noteOf(name === id ? '' : name, counts) };
}

function suggestGuid(conversation: SurveyedConversation, rules: Rules): Suggestion {
  const { id, type = 'private', name } = conversation;
  const { guid } = mapConversation({ kind: 'conversation', id, type, name, members: [] }, rules, (userId) => userId);
  return { subject: id, lines: yamlEntry(id, guid), note: noteOf(name, countsOf(conversation)) };
}

function suggestExclusion(conversation: SurveyedConversation): Suggestion {
  const { id, name } = conversation;
  return { subject: id, lines: [`- ${yamlLine(id)}`], note: noteOf(name, countsOf(conversation)) };
}

function countsOf({ type, messageCount, firstAtMs, lastAtMs }: SurveyedConversation): string {
  const kind = type === undefined ? '' : `${type}, `;
  if (messageCount === 0) return `${kind}no messages`;
  return `${kind}${countOf(messageCount, 'message')}, ${formatDay(firstAtMs)} to ${formatDay(lastAtMs)}`;
}

const noteOf = (name: string, counts: string): string => {
  const shown = commentText(name);
  return shown === '' ? counts : `${shown}: ${counts}`;
};

/** Suggestions of a list that are in another file. There is at least one. */
export interface LeftOut extends Pick<SuggestionList, 'path' | 'because'> {
  suggestions(): Iterable<Suggestion>;
}

/** `chatferry.mapping.yaml` → `chatferry.mapping.rest.yaml`. */
export const restPath = (mappingPath: string): string => `${mappingPath.replace(/\.ya?ml$/i, '')}.rest.yaml`;

/** The suggestions that the mapping has no place for, to copy from. As many as there are people: never held as a whole. */
export function* restLines(leftOut: readonly LeftOut[], mappingPath: string): Generator<string> {
  yield `# More of what "${mappingPath.replaceAll(/\s/g, ' ')}" lists, in the same order. Nothing reads this file, and "chatferry init" replaces it:\n`;
  yield '# copy what you need below the key of the same name there, and take the "#" away.\n';
  for (const { path, because, suggestions } of leftOut) {
    yield `\n# ${path.join('.')}: ${because}\n`;
    for (const suggestion of suggestions()) yield `${commentedOut(suggestion).join('\n')}\n`;
  }
}
