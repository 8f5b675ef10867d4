import type { Reading } from '../../source.ts';
import { candidatesFor } from './candidates.ts';
import { type ColumnChoice, type ColumnProfile, count, distinct } from './columns.ts';

/** Words for what went out and what came in, whole or as a part of such words as `outbound-api`. */
const outWords =
  /^(?:out|outgoing|sent|send|agent|operator|admin|staff|support|assistant|bot|employee|mt|from_me|ausgehend|gesendet|mitarbeiter)/i;
const inWords =
  /^(?:in$|in[^a-z]|inbound|incoming|received?|customer|client|user|contact|visitor|guest|caller|mo$|to_me|eingehend|empfangen|kunde)/i;

const ourNames = /agent|operator|employee|staff|assignee|assigned|support|bearbeiter|mitarbeiter|owner|our/i;
const theirNames = /cust|client|contact|visitor|guest|caller|phone|number|kunde|lead|patient|their/i;

/** Who wrote, where a column says in or out: together with the columns of the two people of the conversation. */
export function directionsFor(columns: ColumnChoice): readonly Reading[] {
  const people = candidatesFor('author', columns);
  return columns.names
    .filter((name) => !columns.isUsed(name))
    .map((name) => columns.profile(name))
    .flatMap((profile): Reading[] => {
      const sides = sidesOf(profile);
      if (!sides) return [];
      const column = (names: RegExp) =>
        people.find(({ value }) => value !== profile.name && names.test(String(value)))?.value;
      const us = column(ourNames) ?? { constant: 'support' };
      const them = column(theirNames);
      if (them === undefined) return [];
      const shown = `${sides.ours.join(', ')}: ${nameOf(us)}; ${sides.theirs.join(', ')}: ${nameOf(them)}`;
      return [
        {
          value: { direction: profile.name, ...sides, us, them },
          because: `"${profile.name}" says which of the two wrote (${shown}), in ${count(profile.texts.length)} of ${count(profile.rowCount)} rows`,
        },
      ];
    });
}

/** The words of each side, where every word of a column is of one, and nearly every row has it. */
function sidesOf(profile: ColumnProfile): { readonly ours: string[]; readonly theirs: string[] } | undefined {
  const words = distinct(profile);
  if (words.length < 2 || words.length > 6 || profile.texts.length < profile.rowCount * 0.9) return undefined;
  const ours = words.filter((word) => outWords.test(word));
  const theirs = words.filter((word) => inWords.test(word) && !outWords.test(word));
  const isWhole = ours.length + theirs.length === words.length && ours.length > 0 && theirs.length > 0;
  return isWhole ? { ours, theirs } : undefined;
}

const nameOf = (reading: unknown): string => (typeof reading === 'string' ? `"${reading}"` : 'support');
