import { z } from 'zod';
import { configOf } from '../../commands/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { addDecisions } from '../../report/decision-log.ts';
import { isOpen } from '../../decisions/decision.ts';
import type { DecideFacts } from '../engine/decisions.ts';
import { filesNow } from '../files/undo-stack.ts';
import { commandLine } from '../runs/command-lines.ts';
import type { Answered, CardPage, DecideRoutes, SeenCard } from '../shapes.ts';
import { byName, changeFiles, readVersion } from './changes.ts';
import { BadRequest, checkedBody } from './faults.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';

const cardsMax = 200;

const answerRequest = z.strictObject({
  version: z.string(),
  card: z.string(),
  /** Indexes of options: one, or several if the card takes several; none for a value that is none of them. */
  answers: z.array(z.int().nonnegative()).max(1000),
  /** A value of the user's own, as `--set` takes it: of the option, if that asks for one. */
  text: z.string().max(10_000).optional(),
  by: byName,
});
type AnswerRequest = z.output<typeof answerRequest>;

const undoRequest = z.strictObject({ version: z.string() });

export const decideAnswers = (parts: Parts): AnswersTo<DecideRoutes> => ({
  'GET cards': (search) => cardPage(parts, search),
  'GET card': (search) => oneCard(parts, search.get('id') ?? ''),
  'GET preview': async (search) => {
    const [card, answer] = [search.get('card') ?? '', search.get('answer') ?? '-1'];
    if (!/^(?:-1|\d{1,4})$/.test(answer)) throw new BadRequest('Name the index of an answer, or -1');
    const considered = { card, answer: Number(answer), text: search.get('text') };
    return await parts.engine.call('preview', { ...requireFacts(parts), ...considered });
  },
  'GET schema': async () => await parts.engine.call('schema', requireFacts(parts)),
  'GET table': async (search) => {
    const table = await parts.engine.call('table', { ...requireFacts(parts), name: search.get('name') ?? '' });
    if (table === null) throw new UsageError('There is no such table');
    return table;
  },
  'POST answer': (_, body) => answer(parts, checkedBody(answerRequest, body)),
  'POST undo': (_, body) => undo(parts, checkedBody(undoRequest, body)),
});

/** @throws UsageError if there is no export that can be read */
function requireFacts({ deciding }: Parts): DecideFacts {
  const facts = deciding.facts();
  if (facts === undefined) throw new UsageError('There is nothing to decide before an export can be read');
  return facts;
}

async function cardPage(parts: Parts, search: URLSearchParams): Promise<CardPage> {
  const { deciding, looking, workspace, undone } = parts;
  const cards = await deciding.cards();
  const after = search.get('after') ?? '';
  const from = /^\d{1,6}$/.test(after) ? Number(after) : 0;
  const to = from + cardsMax;
  return {
    version: readVersion(parts),
    // Samples of columns and evidence come with the one card that is shown.
    rows: cards.slice(from, to).map((card) => ({ ...card, input: undefined, examples: [] })),
    next: to < cards.length ? String(to) : null,
    open: cards.filter(isOpen).length,
    isPlanned: workspace.report('plan') !== null,
    hasTables: (looking.inspection?.tables.length ?? 0) > 0,
    undo: undone.last(workspace),
  };
}

async function oneCard(parts: Parts, id: string): Promise<SeenCard | null> {
  const version = readVersion(parts);
  const card = (await parts.deciding.cards()).find((one) => one.id === id);
  return card === undefined ? null : { ...card, version };
}

const answer = (parts: Parts, request: AnswerRequest): Promise<Answered> =>
  changeFiles(parts, request.version, () => writeAnswer(parts, request));

async function writeAnswer(parts: Parts, { card, answers, text, by }: AnswerRequest): Promise<Answered> {
  const { workspace, engine, undone } = parts;
  const options = workspace.options();
  const { config, store, decisions } = workspace.paths();
  const before = filesNow(workspace);
  const reply = { card, answers, text };
  const named = { mapping: options.mapping, config: workspace.configPath };
  const made = await engine.call('answer', {
    ...requireFacts(parts),
    ...reply,
    config,
    values: configOf(options),
    named,
  });
  // Another process may have noted a decision meanwhile, which must not be taken back with this one.
  const isLogOurs = filesNow(workspace)?.get(decisions) === before?.get(decisions);
  addDecisions(
    store,
    made.decisions.map((decision) => ({ ...decision, by, atMs: parts.now(), card })),
  );
  const after = filesNow(workspace);
  if (before && after && isLogOurs) undone.push({ what: made.says, before, after });
  const written = [...(after ?? [])].flatMap(([path, now]) => (now === before?.get(path) ? [] : [path]));
  return await answered(parts, {
    written,
    sets: made.sets,
    isReadOtherwise: made.sets.some((set) => set.startsWith('source.')),
  });
}

const undo = (parts: Parts, { version }: z.output<typeof undoRequest>): Promise<Answered> =>
  changeFiles(parts, version, async () => {
    const written = parts.undone.undo(parts.workspace);
    return await answered(parts, { written, sets: [], isReadOtherwise: true });
  });

async function answered(
  parts: Parts,
  {
    written,
    sets,
    isReadOtherwise,
  }: { readonly written: readonly string[]; readonly sets: readonly string[]; readonly isReadOtherwise: boolean },
): Promise<Answered> {
  const { deciding, workspace, looking, undone } = parts;
  const cards = await deciding.cards();
  const open = cards.filter(isOpen);
  if (isReadOtherwise && !open.some(({ ifUndecided }) => 'stops' in ifUndecided)) looking.countAgain();
  return {
    version: readVersion(parts),
    next: open[0]?.id ?? null,
    open: open.length,
    written: written.map((path) => workspace.shown(path)),
    command: sets.length === 0 ? '' : commandLine('init', parts.facts(), { sets }).text,
    undo: undone.last(workspace),
  };
}
