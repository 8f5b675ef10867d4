import { existsSync, readFileSync } from 'node:fs';
import {
  type AskedQuestion,
  askedQuestions,
  type OpenedExport,
  type RowsByReading,
} from '../../decisions/questions.ts';
import { trustedInit } from '../../commands/prepare.ts';
import { UsageError } from '../../lib/errors.ts';
import { LastUsed } from '../../lib/maps/last-used.ts';
import { parseReading, parseRules } from '../../mapping/load.ts';
import { type Decision, isOpen } from '../../decisions/decision.ts';
import { describeReading, readingDecisions } from '../../decisions/reading.ts';
import { defaultRules, type ReadingRules } from '../../mapping/rules.ts';
import { keyPath, parseSettings, parseValue, type Settings, settingText, valueAt } from '../../lib/settings.ts';
import { type LoggedDecision, readDecisions } from '../../report/decision-log.ts';
import type { ReportData } from '../../report/report-data.ts';
import { findingSample, type SampledMessage } from '../../rows/finding-rows.ts';
import { keepableColumns, type UnreadColumn } from '../../sources/not-migrated.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import { readStore } from '../../store/open.ts';
import { isTableSource, type TableSource } from '../../sources/table-source.ts';
import type { Card, CardPreview, SchemaView, TableView } from '../shapes.ts';
import { affectedBy, type Counted } from './affected.ts';
import { columnsCard, findingCards, plainCard, questionCard } from './cards.ts';
import { type ToOpen, unattended } from './opened.ts';
import {
  type Considered,
  findingPreview,
  nothingToShow,
  questionPreview,
  type QuestionRequest,
  answerSets,
  type ShownRows,
} from './previews.ts';
import { areValuesShown, type Schema, readSchema, schemaView, tableView } from './schema.ts';
import { roleCard, withRoles } from './table-roles.ts';
import type { InitRequest } from '../../commands/requests.ts';

/** The files and facts on which decisions depend. */
export interface DecideFacts extends ToOpen {
  /** Changes with each of the files. */
  readonly version: string;
  /** Path of the mapping, existing or not. */
  readonly mapping: string;
  readonly store: string;
  readonly workspace: string | undefined;
  /** Null if there is none. `id` differs from that of any other plan. */
  readonly plan: (Pick<ReportData, 'decisions' | 'totals' | 'contents'> & { readonly id: string }) | null;
  /** Null until the export was counted. */
  readonly counted: Counted | null;
  /** Columns that nothing reads, as far as they were counted. */
  readonly unread: readonly UnreadColumn[];
}

export interface AnswerCall extends DecideFacts {
  readonly card: string;
  /** Indexes of answers; none with `text`. */
  readonly answers: readonly number[];
  readonly text: string | undefined;
  /** Path of the configuration, existing or not. */
  readonly config: string;
  /** Values of a new one. */
  readonly values: InitRequest['config'];
  /** Files that the user named. */
  readonly named: { readonly mapping: string | undefined; readonly config: string | undefined };
}

export interface PreviewRequest extends Considered {
  readonly facts: DecideFacts;
  readonly card: string;
  readonly signal: AbortSignal;
}

export interface Made {
  /** The answer in words. */
  readonly says: string;
  readonly decisions: readonly Pick<LoggedDecision, 'key' | 'answer' | 'before' | 'about'>[];
  /** As `--set` takes them; none if the mapping stays. */
  readonly sets: readonly string[];
}

/** Facts about an export at one version of the files. */
interface Known {
  readonly version: string;
  readonly opened: OpenedExport;
  readonly cards: readonly Card[];
  readonly rules: Settings;
  readonly schema: Schema;
}

/** Previews, samples and readings that are kept. */
const previewsMax = 200;
const samplesMax = 50;
const readingsMax = 50;
const rowsMax = 3;

/** Cards and previews of one export. They are kept until the files change. */
export class Decisions {
  #known: Known | undefined;
  /** The input of the adapter that `#adapter` was made of. */
  #opened: OpenedExport | undefined;
  #remembering: OpenedExport | undefined;
  /** Messages that findings of a plan are about. */
  readonly #samples = new LastUsed<string, readonly SampledMessage[]>(samplesMax);
  readonly #previews = new LastUsed<string, ShownRows>(previewsMax);
  readonly #read: RowsByReading = new LastUsed(readingsMax);

  /** Open cards first. @throws SourceError, UsageError if the mapping cannot be used */
  async cards(opened: OpenedExport, facts: DecideFacts): Promise<readonly Card[]> {
    return (await this.#at(opened, facts)).cards;
  }

  /** @throws SourceError, UsageError also if there is no such card. */
  async preview(opened: OpenedExport, request: PreviewRequest): Promise<CardPreview> {
    const { facts, card: id, answer, text } = request;
    const known = await this.#at(opened, facts);
    const card = findCard(known, id);
    const key = JSON.stringify([facts.version, id, answer, text]);
    const rows = this.#previews.get(key) ?? (await this.#rows(known, card, request));
    // A preview without its rows is not kept: the export or the server may be back the next time.
    if (rows.why === null && rows.rows.every(({ why }) => why === null)) this.#previews.set(key, rows);
    return { card: id, answer, text, ...rows };
  }

  async #rows(known: Known, card: Card, { facts, signal, ...considered }: PreviewRequest): Promise<ShownRows> {
    const { answer, text } = considered;
    const sets =
      answer === -1 && text === null ? [] : listSets(known, card, { answers: answer === -1 ? [] : [answer], text });
    const settings = parseSettings(sets.map(({ key, value }) => `${key}=${value}`));
    const request = { ...questionAt(known, facts), settings, read: this.#read, signal };
    if (isQuestion(card) || card.takesSeveral) return questionPreview(known.opened, request);
    const { store, plan, exports } = facts;
    if (plan === null) return nothingToShow('There is no plan.');
    const key = JSON.stringify([plan.id, card.id]);
    const again = { exports, signal };
    const sample = this.#samples.get(key) ?? (await findingSample(store, card.id, { max: rowsMax, ...again }));
    // An export that is away for a moment may be there the next time.
    if (sample.every(({ record, muid }) => record !== null || muid === null)) this.#samples.set(key, sample);
    return findingPreview(store, sample, { mapping: request.mapping, settings, ...again });
  }

  /** Writes an answer into the mapping, as `init --set` does. @throws SourceError, UsageError for an answer that cannot be */
  async answer(opened: OpenedExport, call: AnswerCall, signal: AbortSignal): Promise<Made> {
    const known = await this.#at(opened, call);
    const card = known.cards.find(({ id }) => id === call.card) ?? roleCard(call.card) ?? findCard(known, call.card);
    const sets = listSets(known, card, call);
    const before = (key: string) => {
      const value = valueAt(known.rules, keyPath(key));
      return value === undefined ? null : settingText(value);
    };
    const texts = sets.map(({ key, value }) => `${key}=${value}`);
    const { exports, source, workspace, mapping: mappingPath, config: configPath, values: config, named } = call;
    const files = { exports, source, workspace, mappingPath, configPath, config };
    // The page asks for rows by itself.
    const quiet = { ...unattended, show: false };
    await trustedInit({ ...files, opened: known.opened, settings: parseSettings(texts), ...quiet, signal }, named);
    const about = describeAnswer(card, call);
    return {
      says: sayChosen(card, call),
      // As the mapping says it, by which it is found again.
      decisions: sets.map(({ key, value }) => ({
        key,
        answer: settingText(parseValue(value)),
        before: before(key),
        about,
      })),
      sets: texts,
    };
  }

  async schema(opened: OpenedExport, facts: DecideFacts): Promise<SchemaView> {
    return schemaView((await this.#at(opened, facts)).schema);
  }

  /** Undefined if there is no table of that name. */
  async table(
    opened: OpenedExport,
    facts: DecideFacts,
    name: string,
    signal: AbortSignal,
  ): Promise<TableView | undefined> {
    const known = await this.#at(opened, facts);
    const { schema } = known;
    if (!areValuesShown(name, schema)) return tableView(name, schema, []);
    const request = { ...questionAt(known, facts), settings: {}, read: this.#read, signal };
    return tableView(name, schema, (await questionPreview(known.opened, request)).rows);
  }

  async #at(given: OpenedExport, facts: DecideFacts): Promise<Known> {
    if (given !== this.#opened || this.#remembering === undefined) {
      this.#opened = given;
      this.#remembering = { ...given, adapter: remembering(given.adapter) };
      this.#known = undefined;
      this.#previews.clear();
      this.#read.clear();
    }
    if (this.#known?.version !== facts.version) this.#known = await knownAt(this.#remembering, facts);
    return this.#known;
  }
}

const questionAt = (
  { rules }: Known,
  { mapping, exports, store, plan, workspace }: DecideFacts,
): Omit<QuestionRequest, 'settings' | 'read' | 'signal'> => ({
  rules,
  exports,
  workspace,
  mapping: existsSync(mapping) ? mapping : undefined,
  store: plan === null ? null : store,
});

async function knownAt(opened: OpenedExport, facts: DecideFacts): Promise<Known> {
  const { version, mapping, store, plan, unread, counted } = facts;
  const text = existsSync(mapping) ? readFileSync(mapping, 'utf8') : undefined;
  const rules: Settings = text === undefined ? defaultRules() : parseRules(text, mapping);
  const { adapter } = opened;
  const { questions, proposed } = await askedQuestions(opened, rules.source as Settings);
  const decisions = readDecisions(store);
  const answers = { source: adapter.name, rules, given: decisions };
  const asked = new Set(questions.map(({ key }) => key));
  const columns = columnsCard(keepableColumns(unread), rules, decisions);
  const schema = await readSchema(opened, proposed);
  const cards = [
    ...[...questions, ...answeredOnly(decisions, rules).filter(({ key }) => !asked.has(key))].map((question) =>
      questionCard(question, affectedBy(question.key, { schema, counted, plan }), decisions),
    ),
    // A plan is made, and its reading confirmed, once all of them are answered.
    ...(plan === null || questions.some(({ value }) => value === undefined)
      ? []
      : readingOf(store, text === undefined ? undefined : parseReading(text, mapping)).map(plainCard)),
    ...findingCards(plan?.decisions ?? [], answers),
    ...(columns === undefined ? [] : [columns]),
  ];
  return { version, opened, cards: cards.toSorted(compareCards), rules, schema };
}

/** Questions that were answered here and that the source asks no more: another answer may have settled them since. */
const answeredOnly = (decisions: readonly LoggedDecision[], rules: Settings): readonly AskedQuestion[] =>
  [...new Set(decisions.flatMap(({ key, card }) => (card === key && key.startsWith('source.') ? [key.slice(7)] : [])))]
    .map((key) => ({ key, value: valueAt(rules.source, keyPath(key)) }))
    .filter(({ value }) => value !== undefined)
    .map((known) => ({ ...known, because: '', rows: undefined, choices: undefined, readings: [], instead: [] }));

function readingOf(path: string, rules: ReadingRules | undefined): readonly Decision[] {
  if (!existsSync(path)) return [];
  return readStore(path, (store) => {
    const described = describeReading(store, rules);
    return described === undefined ? [] : readingDecisions(described);
  });
}

/** Without an answer to it nothing is sent. */
const isQuestion = ({ ifUndecided }: Card): boolean => 'stops' in ifUndecided;

const rankOf = (card: Card): number =>
  card.id === 'reading' ? -1 : isQuestion(card) ? 0 : card.takesSeveral ? 3 : card.isOptional ? 2 : 1;

/** Open ones first, and of those the questions; then by what they are about. */
const compareCards = (one: Card, other: Card): number =>
  Number(isOpen(other)) - Number(isOpen(one)) ||
  rankOf(one) - rankOf(other) ||
  (other.about.count ?? 0) - (one.about.count ?? 0);

function findCard({ cards }: Known, id: string): Card {
  const card = cards.find((one) => one.id === id);
  if (card === undefined)
    throw new UsageError('There is no such decision any more', { hint: 'The export or its plan has changed' });
  return card;
}

function listSets({ schema, rules, opened }: Known, card: Card, given: Parameters<typeof answerSets>[1]) {
  const tables = {
    names: new Set(schema.tables.map(({ name }) => name)),
    isOfFiles: opened.adapter.name !== 'database',
  };
  return withRoles(answerSets(card, given), rules, tables);
}

/** Returns an answer in words: the question, and what the options do. */
const describeAnswer = ({ question, options }: Card, { answers }: Pick<AnswerCall, 'answers'>): string =>
  [question, ...answers.flatMap((index) => options[index]?.does ?? [])].join(' ');

/** The options in words; of a value of the user's own, the question. */
const sayChosen = ({ question, options }: Card, { answers, text }: Pick<AnswerCall, 'answers' | 'text'>): string =>
  answers.length === 0 || text !== undefined
    ? `your own answer to “${question}”`
    : answers.flatMap((index) => options[index]?.does ?? []).join(', ');

/** Answers of a source that are kept. */
const answersMax = 20;

/** The same adapter, which proposes once for the same answers: a question is asked again with each preview. So it is with the tables. */
function remembering(adapter: SourceAdapter): SourceAdapter {
  if (!isTableSource(adapter)) return adapter;
  const source: TableSource = {
    ...adapter,
    propose: once(adapter.propose.bind(adapter), ([input, options]) => [input.key, options]),
    outline: once(adapter.outline.bind(adapter), ([input, { tables }]) => [input.key, tables]),
  };
  return source;
}

/** The same function, which keeps its last answers. @param keyOf All that an answer depends on. */
function once<Asked extends readonly unknown[], Answer>(
  ask: (...asked: Asked) => Promise<Answer>,
  keyOf: (asked: Asked) => unknown,
): (...asked: Asked) => Promise<Answer> {
  const answers = new LastUsed<string, Promise<Answer>>(answersMax);
  return (...asked) => {
    const key = JSON.stringify(keyOf(asked));
    const answer = answers.get(key) ?? ask(...asked);
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    return answer;
  };
}
