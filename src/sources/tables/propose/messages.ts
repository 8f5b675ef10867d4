import { aliases } from './aliases.ts';
import { ColumnChoice, type ColumnProfile, count, type Draft, evidence, mostly } from './columns.ts';
import { proposeDetails } from './details.ts';
import { proposeId, reserveId } from './ids.ts';
import { proposeTime, sniffTime } from './time.ts';
import { proposePeople } from './who-and-where.ts';
import type { Row } from '../row.ts';

const names = aliases.message;

/** How the rows of messages would be bound. The order matters: a column that is one thing is no other. */
export function proposeMessages(rows: readonly Row[], draft: Draft, nulls: readonly string[]): void {
  const columns = new ColumnChoice(rows, draft, nulls);
  proposeTime(columns);
  proposeText(columns);
  const id = reserveId(columns);
  proposePeople(columns);
  proposeId(columns, id);
  proposeDetails(columns);
}

function proposeText(columns: ColumnChoice): void {
  const decided = columns.draft.at('messages.text');
  const named = typeof decided === 'string' ? decided : columns.draft.at('messages.text.from');
  const candidates = typeof named === 'string' ? [columns.profile(named)] : columns.candidates(names.text);
  const [best, ...others] = candidates;
  if (!best) {
    // A time has letters as well: 2024-04-01T10:00:00Z.
    const worded = columns.names
      .filter((name) => !columns.isUsed(name))
      .map((name) => columns.profile(name))
      .filter((profile) => mostly(profile, (text) => /\p{L}/u.test(text)) && sniffTime(profile).length === 0)
      .sort((a, b) => averageLength(b) - averageLength(a));
    const long = worded.filter((profile) => averageLength(profile) > 12);
    const alternatives = (long.length > 0 ? long : worded)
      .slice(0, 5)
      .map((profile) => ({ value: profile.name, because: evidence(profile) }));
    columns.draft.choose('messages.text.from', {
      because: 'no column is named like a text',
      alternatives,
      isRequired: true,
    });
    return;
  }
  for (const { name } of candidates) columns.use(name);
  if (typeof decided === 'string') return;
  columns.draft.choose('messages.text.from', {
    value: best.name,
    because: evidence(best),
    alternatives: others.map((profile) => ({ value: profile.name, because: evidence(profile) })),
    isRequired: true,
  });
  proposeMarkup(columns, best);
}

/** Tags in many texts are markup; character references alone may be what somebody typed, so that is asked. */
function proposeMarkup({ draft }: ColumnChoice, { texts }: ColumnProfile): void {
  const countOf = (pattern: RegExp) => texts.filter((text) => pattern.test(text)).length;
  const tagged = countOf(/<(?:p|br|b|i|a|div|strong|em|ul|span)\b[^<>]*>/i);
  if (tagged >= texts.length * 0.2) {
    const because = `${count(tagged)} of ${count(texts.length)} texts hold HTML`;
    draft.choose('messages.text.markup', { value: 'html', because });
    return;
  }
  const referring = countOf(/&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[\da-f]{1,6});/i);
  if (referring === 0) return;
  draft.choose('messages.text.markup', {
    value: 'html',
    because: `${count(referring)} of ${count(texts.length)} texts hold character references of HTML, such as &amp;`,
    alternatives: [{ value: 'plain', because: 'people wrote them so' }],
  });
}

const averageLength = ({ texts }: ColumnProfile) =>
  texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
