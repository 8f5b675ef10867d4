import { valueText } from '../../bind/value.ts';
import { type ColumnChoice, type ColumnProfile, distinct, isFlag } from '../columns.ts';
import type { Candidate } from '../evidence.ts';
import { namesOtherPerson } from './people.ts';
import { sniffTime } from '../message/time.ts';

/** Words of names that speak for a role. Whole names that are usual are in `aliases`. */
export const hints = {
  author:
    /user|sender|author|agent|customer|client|speaker|writer|poster|operator|caller|contact|person|member|owner|employee|actor|nick|login|e?mail|handle|name|bearbeiter|sachbearbeiter|mitarbeiter|kunde|absender|verfasser|benutzer|creat|(?:^|[^a-z])(?:from|by|who|von)(?:$|[^a-z])/i,
  conversation:
    /room|conv|thread|channel|chat|dialog|ticket|case|session|group|topic|subject|vorgang|gespr|kanal|raum|slug|issue|call(?!er)|order|auftrag|fall(?:$|[^a-z])|betreff/i,
} as const;

/** Names of what describes a message rather than its author or its place. */
export const otherwise =
  /status|state|prio|type|kind|lang|country|source|version|revision|(?:^|[^a-z])ip(?:$|[^a-z])|browser|device|platform|direction|reaction|emoji|phone_?model|score|rating|count|length|size|url|link|token|hash|avatar|picture|photo|image|account|tenant|realm|workspace|inbox|organi[sz]ation|company|(?:^|[^a-z])app(?:$|[^a-z])|service/i;

/** With fewer rows, values that are all different say nothing. */
const tellingRows = 10;

/** Short values of which some come again; no times, no lists, no texts. */
export function mayBeIdentity(profile: ColumnProfile): boolean {
  const { texts, rowCount } = profile;
  if (texts.length < Math.max(1, rowCount * 0.4) || isFlag(profile) || texts.some((text) => /^[[{]/.test(text)))
    return false;
  const different = distinct(profile).length;
  return !(texts.length >= tellingRows && different > texts.length * 0.9);
}

/** Values that can be an id: no addresses, no lists, no times, no long texts. */
export function isPlain(profile: ColumnProfile): boolean {
  const { texts, values } = profile;
  if (values.some((value) => typeof value === 'object')) return false;
  const letters = texts.reduce((sum, { length }) => sum + length, 0);
  const isAddress = texts.length > 0 && texts.every((text) => /^(?:https?:|\/|data:)/i.test(text));
  // A number of five digits is a day of Excel's as well; one of ten may be a phone or an id.
  const isTime = sniffTime(profile).some(({ format }) => !/^(?:excel|unix)/.test(format));
  return letters <= texts.length * 60 && !isAddress && !isTime;
}

/** How often a value is another than that before it: 0 to 1. */
export const countTurns = ({ texts }: ColumnProfile): number =>
  texts.filter((text, index) => index > 0 && text !== texts[index - 1]).length / Math.max(1, texts.length - 1);

/** Whether so many different values are there, and some of them more than once. */
export const comesAgain = (profile: ColumnProfile, differentMin: number): boolean => {
  const different = distinct(profile).length;
  return different >= differentMin && different < profile.texts.length;
};

/**
 * Candidates without those that say the same of a person or a room in other words: each id of a better one has one name, login or address.
 */
export function withoutNames(
  ranked: readonly Candidate<ColumnProfile>[],
  columns: ColumnChoice,
): readonly Candidate<ColumnProfile>[] {
  const isId = ({ value }: Candidate<ColumnProfile>) => /(?:id|key|uuid|sid)$/i.test(value.name);
  const ids = ranked.filter(isId);
  const isNamed = ({ value }: Candidate<ColumnProfile>) =>
    /name|mail|login|handle|nick|display|title|subject|slug/i.test(value.name) && !namesOtherPerson(value.name);
  return ranked.filter(
    (one) => !(isNamed(one) && ids.some((id) => id !== one && determines(columns, id.value, one.value))),
  );
}

/** Whether each value of one column always occurs with the same value of another. */
export function determines({ rows }: ColumnChoice, one: ColumnProfile, other: ColumnProfile): boolean {
  const known = new Map<string, string>();
  return rows.every((row) => {
    const [key, value] = [valueText(row.get(one.name)), valueText(row.get(other.name)) ?? ''];
    if (key === undefined) return true;
    const before = known.get(key) ?? value;
    known.set(key, before);
    return before === value;
  });
}
