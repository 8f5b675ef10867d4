import { countOf } from '../../../../lib/text/count.ts';
import type { Reading } from '../../../table-source.ts';
import { isYes, valueText } from '../../bind/value.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct, isFlag, showValue } from '../columns.ts';
import { splitWords } from '../../../../model/visibility-words.ts';
import { countRows, describeValues, everyRow, isCode, offeredValues, repeats, rowsWith } from '../which-rows.ts';
import type { Row } from '../../row.ts';
import { determines } from '../graph/identities.ts';
import { isAskedElsewhere, sortsRows } from './sorters.ts';
import { rowsThatAreRead } from '../bound-columns.ts';
import { isOfTenants } from './tenants.ts';

/** Asks about columns that decide which rows are messages for everyone, and whose values mean nothing without knowledge of the program. */
export function proposeUnclear(columns: ColumnChoice): void {
  const { draft } = columns;
  const said = [
    draft.at('messages.skipWhen'),
    ...draft.findings.flatMap(({ key, value }) => (/^messages\.(?:only|skipWhen)$/.test(key) ? [value] : [])),
  ];
  const isSaid = (name: string) => said.some((rules) => rules !== undefined && Object.hasOwn(rules as object, name));
  const read = rowsThatAreRead(draft.at('messages'), columns.rows, columns.nulls);
  const isOneInAll = (name: string) =>
    read.length < columns.rows.length && new Set(read.map((row) => valueText(row.get(name)) ?? '')).size < 2;
  for (const name of columns.names) {
    if (columns.isUsed(name) || isSaid(name) || name.startsWith('$') || isOneInAll(name)) continue;
    const profile = columns.profile(name);
    if (saysWhoWrote(columns, profile)) continue;
    if (isForSome(columns, profile)) askAboutFilled(columns, profile, 'names a person', 'were they for them alone?');
    else if (isOfTenants(profile) || splitsConversations(columns, profile)) askWhose(columns, profile);
    else if (isOfOneSide(profile)) askAboutSide(columns, profile);
    else if (isCoded(profile) || isUnclearFlag(profile) || sortsRows(columns, profile)) askWhichRows(columns, profile);
    else if (isLaterInFew(columns, profile))
      askAboutFilled(columns, profile, 'is a time after that of sending', 'were they taken back?');
  }
}

/** Whether it says no more than the column that says which of two wrote. */
function saysWhoWrote(columns: ColumnChoice, profile: ColumnProfile): boolean {
  const side = columns.draft.at('messages.author.direction');
  return typeof side === 'string' && determines(columns, columns.profile(side), profile);
}

/**
 * Returns whether a column has few values, is named like a server, a shop or a project, and has several of these values
 * in one conversation. Then conversation ids start again in each of them.
 */
function splitsConversations(columns: ColumnChoice, profile: ColumnProfile): boolean {
  const conversation = columns.draft.at('messages.conversation');
  const isNamed =
    /(?:^|[_.\s])(?:shop|store|server|project|customer|region|domain|guild|inbox|school|branch|market|object|entity|department|tenant)(?:_?(?:id|type|name|key))?$/i.test(
      profile.name.replace(/([a-z])([A-Z])/g, '$1_$2'),
    );
  return (
    isNamed &&
    typeof conversation === 'string' &&
    distinct(profile).length > 1 &&
    repeats(profile) &&
    !isAskedElsewhere(columns, profile) &&
    !determines(columns, columns.profile(conversation), profile)
  );
}

function askWhose(columns: ColumnChoice, profile: ColumnProfile): void {
  const conversation = columns.draft.at('messages.conversation');
  const isMerged = typeof conversation === 'string' && !determines(columns, columns.profile(conversation), profile);
  columns.use(profile.name);
  const merged = isMerged
    ? ` The same values of "${conversation}" occur in several, for conversations of their own`
    : '';
  const because = `"${profile.name}" has ${describeValues(profile)}: which messages should be read?${merged}`;
  columns.draft.askRows('messages', profile.name, because, [
    ...offeredValues(profile).map(([value, rows]) => ({ value: [value], because: `${count(rows)} rows` })),
    ...(isMerged ? [] : [{ value: everyRow, because: 'those of all of them' }]),
  ]);
}

/** Numbers where words would say what a row is. */
const isCoded = (profile: ColumnProfile): boolean =>
  splitWords(profile.name).some((word) => sorts.has(word)) &&
  // In and out are two.
  distinct(profile).length > (/direction/i.test(profile.name) ? 2 : 1) &&
  repeats(profile) &&
  profile.texts.every(isCode);

const sorts: ReadonlySet<string> = new Set(
  'type types kind status state mode code flags flag mark action category discriminator visibility privacy level access scope folder box mailbox direction'.split(
    ' ',
  ),
);

/**
 * Asks by the values of a column which rows are messages. Cautious readings come first: what is not sent can be sent later. Those that keep the
 * same rows are one.
 */
function askWhichRows(columns: ColumnChoice, profile: ColumnProfile): void {
  const none = profile.rowCount - profile.texts.length;
  const offered = [...offeredValues(profile), ...(none > 0 ? [['', none] as const] : [])];
  const isMore = distinct(profile).length > offered.length;
  const shown = offered.map(([value, rows]) => `${showValue(profile, value)} in ${countOf(rows, 'row')}`);
  const readings = [
    ...withoutSome(profile),
    ...offered
      .toSorted((a, b) => b[1] - a[1])
      .map(([value]): Reading => {
        const because = `those with ${showValue(profile, value)} alone`;
        return { value: rowsWith(value), because };
      }),
  ];
  columns.use(profile.name);
  const more = isMore ? `, of ${count(distinct(profile).length)} values` : '';
  const because = `"${profile.name}" is ${shown.join(', ')}${more}: which are messages for everybody?`;
  const all = { value: everyRow, because: 'all of them' };
  columns.draft.askRows('messages', profile.name, because, [...unlike(readings, profile), all]);
}

/** Without those that keep the same rows of the sample as one before them. */
function unlike(readings: readonly Reading[], profile: ColumnProfile): readonly Reading[] {
  const values = [...distinct(profile), ...(profile.texts.length < profile.rowCount ? [''] : [])];
  const keeps = ({ value }: Reading) =>
    values.filter((one) => (Array.isArray(value) ? value.includes(one) : one === '')).join('\0');
  return [...Map.groupBy(readings, keeps).values()].map(([first]) => first!);
}

/** Without the values that few rows have, and without each of a few: what fails or is hidden is rarer than what is said. */
function withoutSome(profile: ColumnProfile): readonly Reading[] {
  const values = [...countRows(profile)].toSorted((a, b) => a[1] - b[1]);
  const rare = values.filter(([, rows]) => rows * 5 <= profile.texts.length).map(([value]) => value);
  const few = values.length <= fewMax ? values.map(([value]) => value) : rare.length <= fewMax ? rare : [];
  const ways = [rare, ...few.map((value) => [value])];
  return ways
    .filter(
      (way, index) => way.length > 0 && way.length < values.length && (index > 0 || way.length > 1 || few.length === 0),
    )
    .map((left) => ({
      value: [...countRows(profile).keys(), ''].filter((value) => !left.includes(value)),
      because: `without ${left
        .slice(0, 5)
        .map((value) => showValue(profile, value))
        .join(', ')}`,
    }));
}

/** Values that are offered one by one. */
const fewMax = 4;

/** Yes and no under a name that says nothing of who may see the row: marks of reading, of files, of where it came from. */
const harmlessFlags =
  /count|total|local|remote|edit|pin|read|seen|star|flag$|^has|attach|bot|reply|mention|notif|sync|index|html|group|from_?me|incoming|outgoing|inbound|outbound|forward|import|urgent|answer|like|first|last|emoji|encrypt|thread|root|auto|mobile|direction|media|file|image|rich|markdown|view|open|bookmark|favou?rite|own|self|mine|version|revision|nsfw|spoiler|^(?:is|from|by)_?(?:agent|staff|admin|operator|customer|employee|support)$/i;

export const isHarmlessFlag = (name: string): boolean => harmlessFlags.test(name);

function isUnclearFlag(profile: ColumnProfile): boolean {
  const values = distinct(profile).length;
  const isPart = profile.texts.length < profile.rowCount;
  return isFlag(profile) && (values === 2 || (isPart && values === 1)) && !harmlessFlags.test(profile.name);
}

/** Returns whether some rows name a person in addition to their conversation: a whisper is meant for that person alone. */
function isForSome(columns: ColumnChoice, profile: ColumnProfile): boolean {
  const author = columns.draft.at('messages.author');
  if (typeof author !== 'string' || typeof columns.draft.at('messages.conversation') !== 'string') return false;
  if (profile.texts.length === 0 || profile.texts.length >= profile.rowCount * 0.9) return false;
  const isNamed = /whisper|recipient|receiver|addressee|target|only_?for|visible_?to|(?:^|[^a-z])to(?:$|[^a-z])/i.test(
    profile.name,
  );
  const authors = new Set(columns.profile(author).texts);
  if (/assign/i.test(profile.name) || isOfReplies(columns, profile)) return false;
  return isNamed && profile.texts.some((text) => authors.has(text));
}

/** Whether only rows that answer a message have a value: it names who wrote that. */
function isOfReplies(columns: ColumnChoice, { name }: ColumnProfile): boolean {
  const links = columns.names.filter((one) => /repl|parent|quot/i.test(one) && one !== name && columns.isUsed(one));
  const has = (row: Row, column: string) => !['', '0', ...columns.nulls].includes(valueText(row.get(column)) ?? '');
  return links.some((link) => columns.rows.every((row) => has(row, link) === has(row, name)));
}

/** Asks about the rows that have a value. */
function askAboutFilled(columns: ColumnChoice, profile: ColumnProfile, seen: string, asked: string): void {
  columns.use(profile.name);
  const because = `"${profile.name}" ${seen} in ${count(profile.texts.length)} of ${count(profile.rowCount)} rows: ${asked}`;
  columns.draft.askRows('messages', profile.name, because, [
    { value: rowsWith(''), because: 'yes: leave them out' },
    { value: everyRow, because: 'no: send them to the whole conversation' },
  ]);
}

/** Names of what people do with messages that stay. */
const laterNames =
  /read|seen|deliver|receiv|edit|updat|modif|chang|pin|star|sync|notif|sent|open|answer|repl|expir|remind|last|latest|reported|transl/i;

/** Whether few rows have a time, and each is after that of sending: a deletion, in any language. */
function isLaterInFew(columns: ColumnChoice, { name, texts, rowCount }: ColumnProfile): boolean {
  const sent = columns.draft.columnAt('messages.time');
  if (texts.length === 0 || texts.length * 5 > rowCount || sent === undefined || laterNames.test(name)) return false;
  const isTime = (text: string) => text.replace(/\D/g, '').length >= 10 && /^\d[\d\s:.TZ+-]*$/.test(text);
  return columns.rows.every((row) => {
    const [later, at] = [name, sent].map((column) => valueText(row.get(column))?.trim() ?? '') as [string, string];
    return later === '' || columns.nulls.includes(later) || (isTime(later) && later.length === at.length && later > at);
  });
}

/** Returns whether a mark hides the row from one of two people. The destination can hide a message only for everyone or for no one. */
function isOfOneSide(profile: ColumnProfile): boolean {
  const words = splitWords(profile.name);
  const isSide = words.some((word) =>
    /^(?:sender|receiver|recipient|from|to|user1|user2|creator|author|owner)$/.test(word),
  );
  const hides = words.some((word) => /^(?:deleted?|hidden|hide|removed|archived|trashed|cleared)$/.test(word));
  return isSide && hides && profile.texts.some(isYes);
}

function askAboutSide(columns: ColumnChoice, profile: ColumnProfile): void {
  const others = distinct(profile).filter((text) => !isYes(text));
  columns.use(profile.name);
  const rows = count(profile.texts.filter(isYes).length);
  const because = `"${profile.name}" hides ${rows} rows from one of two people, and the destination cannot`;
  columns.draft.askRows('messages', profile.name, because, [
    { value: others.length > 0 ? [...others, ''] : rowsWith(''), because: 'leave them out' },
    { value: everyRow, because: 'send them: the other one sees them still' },
  ]);
}
