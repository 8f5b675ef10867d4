import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { closeOpened, openToAsk } from '../../src/decisions/questions.ts';
import { addDecisions } from '../../src/report/decision-log.ts';
import { reportDataSchema } from '../../src/report/report-data.ts';
import { type DecisionOption, isOpen } from '../../src/decisions/decision.ts';
import { Decisions, type DecideFacts } from '../../src/desk/engine/decisions.ts';
import { never } from '../scenes/bench.ts';

/** Path of the export of a sample. */
export function sampleExport(name: string): string {
  const folder = join(import.meta.dirname, '../../samples', name);
  return join(folder, readdirSync(folder).find((file) => file.startsWith('export'))!);
}

/** The settings of an option, as `--set` takes it. */
export const settingsOf = ({ effect }: DecisionOption): readonly string[] =>
  'sets' in effect ? Object.entries(effect.sets).map(([key, value]) => `${key}=${value}`) : [];

/** The decisions about an export, without a page and a thread: what the engine does. Files are in the folder. */
export async function decidingScene(
  folder: string,
  path: string,
  others: Partial<Pick<DecideFacts, 'plan' | 'counted'>> = {},
) {
  const opened = await openToAsk([path], undefined);
  onTestFinished(() => closeOpened(opened));
  const decisions = new Decisions();
  const [mapping, config, store] = ['chatferry.mapping.yaml', 'chatferry.yaml', 'chatferry.db'].map((name) =>
    join(folder, name),
  );
  let version = 0;
  /** As of now: each call is a new version of the files. */
  const facts = (): DecideFacts => ({
    ...{ exports: [path], source: undefined, workspace: undefined, mapping: mapping!, store: store!, unread: [] },
    ...{ version: String(version++), plan: planIn(folder), counted: null, ...others },
  });
  const cards = () => decisions.cards(opened, facts());
  return {
    ...{ opened, decisions, facts, cards },
    open: async () => (await cards()).filter(isOpen),
    mapping: () => (existsSync(mapping!) ? readFileSync(mapping!, 'utf8') : undefined),
    preview: (card: string, answer: number, text: string | null = null) =>
      decisions.preview(opened, { facts: facts(), card, answer, text, signal: never }),
    async answer(card: string, answers: readonly number[], text?: string) {
      const call = { ...facts(), card, answers, text, config: config!, values: {} };
      const made = await decisions.answer(opened, { ...call, named: { mapping: mapping!, config: config! } }, never);
      addDecisions(
        store!,
        made.decisions.map((decision) => ({ ...decision, by: 'Ana', atMs: 1000, card })),
      );
      return made;
    },
  };
}

function planIn(folder: string): DecideFacts['plan'] {
  const path = join(folder, 'chatferry.report', 'report.json');
  if (!existsSync(path)) return null;
  const report = reportDataSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  return { ...report, id: String(report.generatedAtMs) };
}
