import { settingText } from '../lib/settings.ts';
import type { Reading } from '../sources/table-source.ts';
import type { About, Answer, Decision, DecisionOption } from './decision.ts';
import { findWords, sayQuestion, sayValue } from './proposal/say-value.ts';
import type { Question } from './proposal.ts';

/** Lines of evidence of a decision. */
const examplesMax = 12;

/** Facts about a question that the source does not know. */
interface Known {
  /** How much it is about, where someone has counted more than the rows that the source looked at. */
  readonly about?: About;
  /** Absent while it is open. */
  readonly answer?: Answer | null;
}

/** The decision that a question of a source is. */
export function questionDecision(question: Question, { about, answer = null }: Known = {}): Decision {
  const { key, because, explained, readings } = question;
  const found = findWords(key);
  const { of, input } = found.words;
  return {
    id: `source.${key}`,
    question: sayQuestion(found),
    why: because,
    about: about ?? aboutRows(question, of),
    examples: explained.slice(0, examplesMax),
    options: readings.map((reading, index) => asOption(question, reading, index)),
    input: { ...input, key: `source.${key}` },
    ifUndecided: { stops: true },
    answer,
  };
}

function asOption({ key, rows }: Question, reading: Reading, index: number): DecisionOption {
  const { value, because, isHarmless, isEvident, isLastResort } = reading;
  return {
    does: sayValue(findWords(key), value, rows),
    effect: { sets: { [`source.${key}`]: settingText(value) } },
    because,
    isProposed: index === 0 && (isHarmless ?? isEvident) === true,
    isLastResort: isLastResort === true,
  };
}

/** All rows of the table, if all of them were looked at: a part says nothing of the whole. */
const aboutRows = ({ rows }: Question, of: About['of']): About =>
  rows?.isWhole ? { count: rows.count, of, isExact: true } : { count: null, of, isExact: false };
