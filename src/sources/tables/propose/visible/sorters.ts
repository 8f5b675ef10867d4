import { type ColumnChoice, type ColumnProfile, distinct, textsIn } from '../columns.ts';
import { splitWords } from '../../../../model/visibility-words.ts';
import { valueText } from '../../bind/value.ts';
import { letters } from '../graph/facts.ts';
import { determines, hints } from '../graph/identities.ts';
import { namesOtherPerson } from '../graph/people.ts';

const lettersMax = 30;

/** Names of what everybody may know of a message: where it came from, in what form, of what kind the customer is. */
const harmless =
  /subject|betreff|title|lang|locale|country|platform|device|browser|client|(?:^|[^a-z])os(?:$|[^a-z])|priorit|urgen|sentiment|mood|emotion|intent|topic|tag|team|depart|direction|format|mime|encod|version|charset|medium|source|origin|via|zone|color|colour|emoji|reaction|attach|file|media|currency|size|plan|tier|rating|unit/i;

export const isHarmless = (name: string): boolean => harmless.test(name);

/** Names that say that a column sorts rows. */
const sorting =
  /^(?:state|status|type|kind|mode|class|category|action|event|entry|record|activity|operation|op|change|row|item|step)$/;

/**
 * Whether a column that nothing else reads sorts the rows: short words that come again, of which one is rare, and which do not say the same of all
 * rows of an author or of a conversation. `entry: memo`, `state: D`.
 */
export function sortsRows(columns: ColumnChoice, profile: ColumnProfile): boolean {
  const words = distinct(profile);
  const isSorting = splitWords(profile.name).some((word) => sorting.test(word));
  const isPart = profile.texts.length < profile.rowCount;
  const least = isSorting && isPart ? 1 : 2;
  const isOther = namesOtherPerson(profile.name) || hints.author.test(profile.name) || harmless.test(profile.name);
  if (words.length < least || (isOther && !isSorting) || !words.every(isWord)) return false;
  const countRows = (word: string) => profile.texts.filter((text) => text === word).length;
  const isRare = (rows: number) => rows > 0 && rows * 5 <= profile.rowCount;
  // A column whose words differ from row to row is a text.
  const isText = words.length > 1 && words.length * 2 > profile.texts.length;
  if (isText || isTypeOfId(columns, profile) || isAskedElsewhere(columns, profile)) return false;
  const hasRare = words.some((word) => isRare(countRows(word))) || isRare(profile.rowCount - profile.texts.length);
  return hasRare && !isOfAnother(columns, profile);
}

const isWord = (text: string): boolean =>
  text.length <= lettersMax && /^\p{L}/u.test(text) && /^[^@/:.]*$/.test(text) && splitWords(text).length <= 3;

/** `authorable_type` next to the author `authorable_id`, or a type next to its id where all rows with a text are of one: the others hold no words. */
function isTypeOfId({ rows, draft, names }: ColumnChoice, { name }: ColumnProfile): boolean {
  const [, own] = /^(.+)type$/.exec(letters(name)) ?? [];
  const isIt = (id: string) => letters(id).replace(/id$/, '') === own;
  if (textsIn(draft.at('messages.author')).some(isIt)) return true;
  const text = draft.columnAt('messages.text');
  const id = names.find((one) => isIt(one) && /id$/i.test(one) && one !== draft.at('messages.id'));
  const types = rows.flatMap((row) => (text && valueText(row.get(text)) ? [valueText(row.get(name))] : []));
  return id !== undefined && new Set(types).size === 1;
}

/** Whether another question offers this column. */
export const isAskedElsewhere = ({ draft: { findings } }: ColumnChoice, { name }: ColumnProfile): boolean =>
  findings.some(({ alternatives }) => alternatives.some((reading) => textsIn(reading.value).includes(name)));

/** Whether it is the same in all rows of an author, or of a conversation, of which there are several. */
const isOfAnother = (columns: ColumnChoice, profile: ColumnProfile): boolean =>
  ['messages.author', 'messages.conversation'].some((key) => {
    const name = columns.draft.at(key);
    return typeof name === 'string' && determines(columns, columns.profile(name), profile);
  });
