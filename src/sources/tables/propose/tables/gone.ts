import { isYes } from '../../bind/value.ts';
import { count, type Draft, distinct, isFlag, textsIn } from '../columns.ts';
import type { ColumnFacts, TableFacts } from '../graph/facts.ts';
import { everyRow, rowsWith } from '../which-rows.ts';
import { splitWords } from '../../../../model/visibility-words.ts';

/** Data for the question about rows that a mark says are gone. */
interface Gone {
  readonly column: ColumnFacts;
  /** Values of the marked rows, and of the others; an empty cell is the empty text. */
  readonly hidden: readonly string[];
  readonly kept: readonly string[];
  readonly rows: number;
}

/** Words of columns and of values: with them a row is not there any more. */
const gone =
  /^(?:deleted?|del|removed?|trash(?:ed)?|hidden|purged?|destroyed|revoked|retracted|withdrawn|spam|tombstone|disabled|inactive|deactivated|suspended|expired|draft|geloescht|gelöscht|entfernt|supprim[eé]e?|eliminad[oa])$/;
/** Words of columns: without them it is not. */
const there = /^(?:active|enabled|valid|live|aktiv|activo|actif)$/;
const sorting = /^(?:state|status)$/;
/** A longer text names no state. */
const wordLengthMax = 40;

/**
 * Conversations that were deleted, reactions that were taken back, files that were removed: some programs mark their rows. Whether they
 * are sent is asked.
 */
export function askWhatIsGone(
  section: 'conversations' | 'attachments' | 'reactions' | 'edits',
  { name: table, columns }: TableFacts,
  draft: Draft,
): void {
  const bound = new Set(textsIn(draft.at(section)));
  const marks = columns.filter(({ name }) => !bound.has(name)).flatMap((column) => goneBy(column) ?? []);
  // Who deleted a row adds nothing if another column says when.
  const isWho = ({ column: { name } }: Gone) => /(?:by|id|user|reason)$/i.test(name);
  for (const mark of marks.filter((one) => !isWho(one) || marks.every(isWho))) {
    const { column, hidden, kept, rows } = mark;
    const shown = hidden.slice(0, 3).map((text) => JSON.stringify(text));
    const all = section === 'conversations' ? ', with all of their messages' : '';
    const is = `"${column.name}" of "${table}" is ${shown.join(' or ')}${hidden.length > shown.length ? ', …' : ''}`;
    const because = `${is} in ${count(rows)} of ${count(column.profile.rowCount)} rows: are these gone?`;
    draft.askRows(section, column.name, because, [
      { value: kept.join('') === '' ? rowsWith('') : kept, because: `yes: leave them out${all}` },
      { value: everyRow, because: 'no: send them' },
    ]);
  }
}

function goneBy(column: ColumnFacts): Gone | undefined {
  const { name, profile } = column;
  const names = splitWords(name);
  const texts = distinct(profile);
  const values = profile.texts.length < profile.rowCount ? [...texts, ''] : texts;
  const marked = (isHidden: (text: string) => boolean): Gone | undefined => {
    const hidden = values.filter(isHidden);
    const kept = [...new Set([...values, ''])];
    const rows = profile.texts.filter(isHidden).length + (isHidden('') ? profile.rowCount - profile.texts.length : 0);
    return rows === 0 ? undefined : { column, hidden, kept: kept.filter((text) => !isHidden(text)), rows };
  };
  if (names.some((word) => gone.test(word))) return marked(isYes);
  if (names.some((word) => there.test(word)) && isFlag(profile))
    return texts.length > 0 ? marked((text) => !isYes(text)) : undefined;
  if (!names.some((word) => sorting.test(word))) return undefined;
  return marked((text) => text.length <= wordLengthMax && splitWords(text).some((word) => gone.test(word)));
}
