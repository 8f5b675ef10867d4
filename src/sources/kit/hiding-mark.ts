import {
  isAboutOthers,
  isForAll,
  namesAudience,
  namesInsiders,
  namesKind,
  namesPerson,
  namesShown,
  namesWhoOrWhen,
  readFlag,
  saysHidden,
  splitWords,
} from '../../model/visibility-words.ts';

/**
 * Returns the path of the first field by which an app hides a message from people of its conversation:
 * `attributes.internal`. Looks at any depth, and into JSON that is text.
 */
export function findHidingMark(data: unknown): string | undefined {
  const open: Place[] = [{ name: '', value: Object(data) as object }];
  for (let around = open.pop(); around !== undefined; around = open.pop()) {
    const fields = around.value as Readonly<Record<string, unknown>>;
    const isList = Array.isArray(fields);
    // `visibility: { type: agents }`
    const isInside = !isList && findMeaning(around.name).isTelling;
    for (const key in fields) {
      const name = isList ? around.name : key;
      const meaning = findMeaning(name);
      const value = parseJson(fields[key]);
      if (meaning.hides(value) || (isInside && findMeaning(`${around.name}_${key}`).hides(value)))
        return pathOf(around, key);
      if (typeof value === 'object' && value !== null && !meaning.isOfPerson) open.push({ name, value, key, around });
    }
    // `{ key: internal, value: true }`
    const named = fields.key ?? fields.name;
    if (typeof named !== 'string' || fields.value === undefined) continue;
    const value = parseJson(fields.value);
    if (findMeaning(named).hides(value)) return pathOf(around, named);
    if (Array.isArray(value)) open.push({ name: named, value, key: named, around });
  }
  return undefined;
}

/** An object or a list that is looked through. */
interface Place {
  readonly name: string;
  readonly value: object;
  readonly key?: string;
  readonly around?: Place;
}

function pathOf(place: Place, key: string): string {
  const keys = [key];
  for (let at: Place | undefined = place; at?.key !== undefined; at = at.around) keys.push(at.key);
  return keys.reverse().join('.');
}

function parseJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** Meaning of the name of a field. */
interface Meaning {
  /** Fields inside say it as well. */
  readonly isTelling: boolean;
  /** About a person or a room: nothing inside is about the message. */
  readonly isOfPerson: boolean;
  hides(value: unknown): boolean;
}

/** Names come again in every message. */
const meanings = new Map<string, Meaning>();
const meaningsMax = 5000;
/** Longer names are texts. */
const nameCharsMax = 100;

function findMeaning(name: string): Meaning {
  let meaning = meanings.get(name);
  if (!meaning && name.length > nameCharsMax) return readMeaning([]);
  if (!meaning) {
    if (meanings.size >= meaningsMax) meanings.clear();
    meaning = readMeaning(splitWords(name));
    meanings.set(name, meaning);
  }
  return meaning;
}

/** `internal_id` and `note_count` hide nothing. */
const properties = /^(?:ids?|key|ref|number|count|name|url|uuid|code|index|version|hash|token|size|title|colou?r)$/;
const outsiders = /^(?:customers?|clients?|users?|visitors?|guests?|requesters?|everyone|everybody|all|public)$/;
/** An app may write a word alone into them. */
const fieldsOfApps = /^(?:data|meta|metadata|attributes|custom|props|properties|payload|extra)$/;
/** Characters of a word for a kind or an audience. */
const wordCharsMax = 40;

const never = () => false;

function readMeaning(words: readonly string[]): Meaning {
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  // `whisper_to`, `only_for`
  const isForSome = words.length > 1 && /^(?:to|for|from|viewer)$/.test(words.at(-1)!);
  const isAudience =
    namesAudience(words) || (isForSome && words.includes('only')) || (words.length === 1 && words[0] === 'visible');
  const hides = saysHidden(words);
  const isElse = isAboutOthers(words) || (!isAudience && properties.test(words.at(-1) ?? ''));
  const isShown = namesShown(words) || isAudience || (has(/^(?:show|display|facing)$/) && has(outsiders));
  const isNegated = has(/^(?:not|non|never)$/);
  const isSet = hides && (isForSome || namesWhoOrWhen(words) || words[0] === 'is');
  const isKind = hides || namesKind(words) || has(/(?:type|kind|status)$/) || (words.length === 1 && has(fieldsOfApps));
  const isAccess = hides || has(/^(?:privacy|scope|access|level|recipients)$/);

  function isHidden(value: unknown): boolean {
    if (value === undefined || value === null || value === '') return false;
    if (typeof value === 'object') return isSet && Object.keys(value).length > 0;
    const flag = readFlag(value);
    if (flag !== undefined) return (hides && flag !== isNegated) || (isShown && flag === isNegated);
    const text = String(value);
    if (isSet || (isAudience && !isForAll(text))) return true;
    const said = text.length > wordCharsMax ? [] : splitWords(text);
    return said.length <= 3 && ((isKind && saysHidden(said)) || (isAccess && namesInsiders(said)));
  }
  return {
    isTelling: hides || isAudience,
    isOfPerson: words.length > 0 && words.every((word) => namesPerson([word])),
    // Most names say nothing, and are met in every message.
    hides: !isElse && (isShown || isKind || isAccess) ? isHidden : never,
  };
}
