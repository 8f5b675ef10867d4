import type { Reading } from '../../source.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct, mostly } from './columns.ts';
import { sniffTime } from './time.ts';

/** What a column would be chosen for. */
type Role = 'author' | 'conversation';

/** Words of names that speak for a role. Whole names that are certain are in `aliases`. */
const hints: Readonly<Record<Role, RegExp>> = {
  author:
    /user|sender|author|agent|customer|client|speaker|writer|poster|operator|caller|contact|person|member|owner|employee|actor|nick|login|e?mail|handle|name|bearbeiter|sachbearbeiter|mitarbeiter|kunde|absender|verfasser|benutzer|(?:^|[^a-z])(?:from|by|who|von)(?:$|[^a-z])/i,
  conversation:
    /room|conv|thread|channel|chat|dialog|ticket|case|session|group|topic|subject|vorgang|gespr|kanal|raum|slug|issue|call(?!er)|order|auftrag|fall(?:$|[^a-z])|betreff/i,
};

/** Names of what describes a message rather than its author or its place. */
const otherwise =
  /status|state|prio|type|kind|lang|country|source|version|revision|channel_?type|(?:^|[^a-z])ip(?:$|[^a-z])|browser|device|platform|reaction|emoji|phone_?model|score|rating|count|length|size|url|link|token|hash/i;

/** Shown of the values of a column. */
const valuesMax = 3;
const candidatesMax = 8;
/** With fewer rows, values that are all different say nothing. */
const tellingRows = 10;

/**
 * Columns that may say who wrote a message, or where it belongs, the likeliest first: each with how many rows have it, how many
 * different values there are, and some of them.
 */
export function candidatesFor(
  role: Role,
  columns: ColumnChoice,
): readonly (Reading & { readonly isNamedSo: boolean })[] {
  return columns.names
    .filter((name) => !columns.isUsed(name))
    .map((name) => columns.profile(name))
    .filter(mayBeIdentity)
    .map((profile) => ({ profile, score: scoreOf(role, profile) }))
    .filter(({ score }) => score > -2)
    .sort((a, b) => b.score - a.score)
    .slice(0, candidatesMax)
    .map(({ profile }) => ({
      value: profile.name,
      because: sampleOf(profile),
      isNamedSo: hints[role].test(profile.name) && !otherwise.test(profile.name),
    }));
}

/** `"Bearbeiter": 60 of 60 rows have it, 3 different: Müller, Jörg; Weiß, Nina; …`. */
export function sampleOf(profile: ColumnProfile): string {
  const { name, texts, rowCount } = profile;
  const values = distinct(profile);
  const shown = values.slice(0, valuesMax).map((text) => (text.length > 20 ? `${text.slice(0, 19)}…` : text));
  const more = values.length > valuesMax ? '; …' : '';
  const filled = `${count(texts.length)} of ${count(rowCount)} rows have it`;
  return `"${name}": ${filled}, ${count(values.length)} different: ${shown.join('; ')}${more}`;
}

/** Whether nearly every row has a value, and some have the same. */
export const tellsApart = (profile: ColumnProfile): boolean =>
  profile.texts.length >= profile.rowCount * 0.9 && !isOneEach(profile);

const isOneEach = (profile: ColumnProfile) =>
  profile.texts.length >= tellingRows * 2 && distinct(profile).length === profile.texts.length;

/** Short values of which some come again; no times, no lists, no texts. */
function mayBeIdentity(profile: ColumnProfile): boolean {
  const { texts, rowCount, values } = profile;
  if (texts.length < Math.max(1, rowCount * 0.4) || values.some((value) => typeof value === 'object')) return false;
  const different = distinct(profile).length;
  if (texts.length >= tellingRows && different > texts.length * 0.9) return false;
  const letters = texts.reduce((sum, { length }) => sum + length, 0);
  // A number of five digits is a day of Excel's as well.
  const isTime = sniffTime(profile).some(({ format }) => format !== 'excel');
  return letters <= texts.length * 60 && !isTime;
}

function scoreOf(role: Role, profile: ColumnProfile): number {
  const { name, texts, rowCount } = profile;
  const other = role === 'author' ? 'conversation' : 'author';
  const isPerson = mostly(profile, (text) =>
    /^\p{Lu}\p{Ll}+(?:[ ,.-]+\p{Lu}\p{Ll}*)*$|^[^\s@]+@[^\s@]+\.\w+$/u.test(text),
  );
  const different = distinct(profile).length;
  const isMany = texts.length >= tellingRows;
  return (
    (hints[role].test(name) ? 4 : 0) -
    (hints[other].test(name) ? 3 : 0) -
    (otherwise.test(name) ? 4 : 0) +
    (isPerson ? (role === 'author' ? 2 : -1) : 0) -
    (isMany && different <= (role === 'author' ? 2 : 1) ? 1 : 0) -
    (texts.length < rowCount * 0.9 ? 1 : 0) +
    // Where names say nothing: people take turns, conversations go on.
    (role === 'author' ? 0.5 : -0.5) * turnsOf(texts)
  );
}

/** How often a value is another than that before it: 0 to 1. */
const turnsOf = (texts: readonly string[]): number =>
  texts.filter((text, index) => index > 0 && text !== texts[index - 1]).length / Math.max(1, texts.length - 1);
