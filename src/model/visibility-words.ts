/**
 * The words with which programs say that a message is not for everybody in its conversation: one vocabulary for columns
 * of tables and for the data that apps give to messages. English first, then German, Spanish and French.
 */
const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const yes = wordSet('1 t true y yes on ja wahr x si sí oui');
const no = wordSet('0 f false n no off nein falsch non none null');

/** Returns the meaning of a flag in any spelling; undefined if it is neither yes nor no. */
export function readFlag(value: unknown): boolean | undefined {
  const word = String(value).trim().toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : undefined;
}

/** Words for messages for a few, and for those that were taken back or are not shown yet. */
const hiding = wordSet(
  'internal internally private privately note notes privatenote whisper whispered whispers ephemeral hidden hide invisible shadow shadowed shadowban ' +
    'shadowbanned confidential secret restricted burn staffonly agentonly agentsonly onlyagents internalonly adminonly ' +
    'intern interne notiz versteckt geheim privat vertraulich interno privado nota oculto interne privé caché ' +
    'draft drafts deleted removed trashed retracted recalled withdrawn unpublished disapproved banned blocked moderated censored quarantined ' +
    'entwurf gelöscht geloescht entfernt gesperrt borrador eliminado brouillon supprimé',
);
/** Words for messages that no one received, or that others replaced. In the data of apps and platforms these words are about much else. */
const undelivered = wordSet(
  'spam queued scheduled pending unsent failed undelivered rejected bounced error canceled cancelled aborted replaced superseded obsolete outdated',
);
/** The people for whom such messages are meant. */
const insiders = wordSet(
  'agent agents staff team admin admins operator operators moderator moderators employee employees support colleagues mitarbeiter kollegen agentes equipo équipe ' +
    'agentonly agentsonly onlyagents staffonly internalonly adminonly',
);
const shown = wordSet('public visible published öffentlich oeffentlich sichtbar publico público freigegeben');
const audiences = wordSet('visibility audience sichtbarkeit visibilidad visibilité viewers');
const everybody = wordSet(
  'all everyone everybody anyone public publicly shared open visible any both customer customers user users requester channel room group conversation ' +
    'öffentlich oeffentlich alle jeder publico público todos tous',
);
/** Fields that sort messages into kinds: there a word says what the message is. */
const sorting = wordSet(
  'type types kind kinds status state mode category class channel part scope level privacy access art typ zustand folder box label labels tag tags flag flags source',
);
const people = wordSet('sender author user member from recipient receiver room conversation chat group thread channel');

export type Words = readonly string[];

/** The words of a name: `chatMessages` and `chat_messages` are chat, messages. */
export const splitWords = (name: string): Words =>
  name
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter(Boolean);

const hasWordIn = (set: ReadonlySet<string>) => (words: Words) => words.some((word) => set.has(word));

export const namesShown = hasWordIn(shown);
export const namesKind = hasWordIn(sorting);
export const namesPerson = hasWordIn(people);
export const namesInsiders = hasWordIn(insiders);
const isHiding = hasWordIn(hiding);
const isUndelivered = hasWordIn(undelivered);

/** Returns whether a mark of this name, or a kind of these words, hides a message. A voice note is a message. */
export const saysHidden = (words: Words): boolean =>
  (isHiding(words) && !words.some((word) => /^(?:voice|audio|video)$/.test(word))) ||
  (words.some((word) => /^(?:only|nur|solo|seulement)$/.test(word)) && namesInsiders(words)) ||
  // `isprivate`
  (words.length === 1 && /^is./.test(words[0]!) && hiding.has(words[0]!.slice(2)));

export const saysUndelivered = (words: Words): boolean =>
  isUndelivered(words) || (words.includes('not') && words.includes('sent'));

export const namesAudience = (words: Words): boolean =>
  words.some((word) => audiences.has(word)) || (words.includes('visible') && words.length > 1);

export const isForAll = (text: string): boolean => splitWords(text).every((word) => everybody.has(word));

/** `sender_blocked` and `channel_private` say nothing of the message. */
export function isAboutOthers(words: Words): boolean {
  const [first = '', ...rest] = words.filter((word) => !/^(?:is|has|was)$/.test(word));
  return rest.length > 0 && people.has(first) && !rest.includes('only');
}

/** `hidden_at`, `removed_by`: those with a value are hidden. */
export const namesWhoOrWhen = (words: Words): boolean =>
  words.length > 1 && /^(?:by|at|on|for|until|date|time|am|von|user|userid|reason)$/.test(words.at(-1)!);
