import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Question, questionDecision, sayAnswer } from '../../../decisions/question.ts';
import { answeredQuestions, type OpenedExport } from '../../../decisions/questions.ts';
import { dotted, keyPath, listLeaves, type Settings, settingText, valueAt } from '../../../lib/settings.ts';
import { addDecisions, type LoggedDecision, readDecisions } from '../../../report/decision-log.ts';

/** The place where answers are noted, and as whose. */
export interface AnswerNotes {
  /** They are noted in the file next to it. */
  readonly store: string;
  readonly by: string;
  readonly atMs: number;
}

interface Given {
  /** Answers of the terminal, and those that were assumed, by the key of their question. */
  readonly told: ReadonlyMap<string, unknown>;
  /** Answers of the command line, for any key of the mapping. */
  readonly settings: Settings;
  /** The rules of the mapping before and after. Before: undefined if there was none. */
  readonly before: Settings | undefined;
  readonly after: Settings;
  readonly mappingPath: string;
}

/**
 * Notes who gave an answer or took it back, when, and what was shown: those of this command as the user's, and those that someone wrote into the mapping since
 * the last note as the file's, at the time of its last change.
 *
 * @throws UsageError if the file next to the store cannot be used or written.
 */
export async function noteAnswers(notes: AnswerNotes, opened: OpenedExport, given: Given): Promise<void> {
  const { told, settings, before, after, mappingPath } = given;
  const isNothing = told.size === 0 && listLeaves(settings).length === 0;
  // A mapping that init alone has written holds answers of nobody.
  if (isNothing && before === undefined) return;
  const log = readDecisions(notes.store);
  const questions = await answeredQuestions(opened, (after.source ?? {}) as Settings);
  const user = { by: notes.by, atMs: notes.atMs };
  const noted = questions.flatMap((question): LoggedDecision[] => {
    const path = ['source', ...keyPath(question.key)];
    const isTold = told.has(question.key) || valueAt(settings, path) !== undefined;
    if (!isTold && before === undefined) return [];
    const inFile = () => ({ by: basename(mappingPath), atMs: Math.floor(statSync(mappingPath).mtimeMs) });
    return [{ ...inWords(question), ...(isTold ? user : inFile()) }];
  });
  const isOfQuestion = (key: string) => noted.some((one) => `${key}.`.startsWith(`${one.key}.`));
  const others = listLeaves(settings).flatMap(([path, value]): LoggedDecision[] => {
    const key = dotted(path);
    return isOfQuestion(key) ? [] : [{ key, answer: settingText(value), before: null, ...user }];
  });
  const isNew = ({ key, answer }: LoggedDecision) => log.findLast((one) => one.key === key)?.answer !== answer;
  const added = [...noted, ...others].filter(isNew).map((one) => ({ ...one, before: textBefore(one.key) }));
  if (added.length > 0) addDecisions(notes.store, added);

  function textBefore(key: string): string | null {
    const value = valueAt(before, keyPath(key)) ?? undefined;
    const logged = log.findLast((one) => one.key === key)?.answer;
    return value === undefined || valueAt(after, keyPath(key)) === value ? (logged ?? null) : settingText(value);
  }
}

/** The answer to a question, with what is shown next to it. */
function inWords(question: Question & { readonly value: unknown }): Omit<LoggedDecision, 'by' | 'atMs'> {
  const { id, question: asked, why, options } = questionDecision(question);
  const answer = settingText(question.value);
  const about = `${asked} ${sayAnswer(question, question.value)}`;
  return { key: id, answer, before: null, about, shown: [why, ...options.map(({ does }) => does)] };
}
