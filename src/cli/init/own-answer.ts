import type { Decision } from '../../decisions/decision.ts';
import { describeValue, type Question } from '../../decisions/question.ts';
import { isTable } from '../../lib/settings.ts';
import { tableSetting, type ValueTable, valuesSetting } from '../../decisions/value-table.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import { answered, askForSome, askForText, shownMax, type Terminal } from './prompts.ts';

/** Columns that a list takes itself. */
const margin = 12;

/** Asks for an answer that is no option, by its type: a column, a table, values, a zone, or text. @returns Undefined if none is given. */
export async function askForOwn(
  { key, choices = [], readings }: Question,
  { input }: Decision,
  terminal: Terminal,
): Promise<unknown> {
  const { type, label = 'Another answer' } = input ?? {};
  if (input?.table) return await askForValues(key, input.table, terminal);
  const zones = type === 'zone' ? ['UTC', ...Intl.supportedValuesOf('timeZone')] : [];
  const names = [...zones.map((name) => ({ name, holds: '' })), ...choices];
  const chosen = names.length === 0 ? others.written : await askForName(label, names, terminal);
  if (chosen === others.written) return await askForText(label, terminal);
  if (chosen === others.back) return undefined;
  const isFile = readings.some(({ value }) => isTable(value) && 'file' in value);
  return type === 'table' && typeof chosen === 'string' ? tableSetting(chosen, isFile) : chosen;
}

/** Choices that are no name. */
const others = { written: {}, back: {} };

async function askForName(
  label: string,
  names: readonly { readonly name: string; readonly holds: string }[],
  terminal: Terminal,
): Promise<unknown> {
  const { autocomplete } = await import('@clack/prompts');
  const { stdin: input, stdout: output } = terminal.host;
  const width = (output.columns ?? 100) - margin;
  const options = [
    ...names.map(({ name, holds }) => ({
      value: name as unknown,
      label: truncate(oneLine(holds === '' ? name : `${name}   ${holds}`), width),
    })),
    { value: others.written, label: 'Write it yourself' },
    { value: others.back, label: 'Back to the question' },
  ];
  const filter = (search: string, { value, label: shown = '' }: { readonly value: unknown; readonly label?: string }) =>
    typeof value !== 'string' || shown.toLowerCase().includes(search.toLowerCase());
  const message = `${oneLine(label)}; type to search`;
  return await answered(terminal, autocomplete({ message, options, filter, maxItems: shownMax, input, output }));
}

/** Asks what the values of a column mean: whose rows are sent, which are of people, or who may see which conversation. */
async function askForValues(key: string, table: ValueTable, terminal: Terminal): Promise<unknown> {
  const { name: column, values } = table.columns[0]!;
  const width = (terminal.host.stdout.columns ?? 100) - margin;
  const options = values.map((one) => ({
    value: one.value,
    label: truncate(oneLine(describeValue(one)), width),
    hint: '',
  }));
  const isOfType = key === 'conversations.type';
  const asked = isOfType ? 'Which are open to everybody, not to their members alone?' : 'Which rows are to be sent?';
  const kept = await askForSome(
    `${asked} By ${JSON.stringify(column)} (space chooses, Enter goes on)`,
    options,
    terminal,
  );
  if (kept.length === 0) return undefined;
  const [[first], [second]] = table.meanings as readonly [readonly [string, string], readonly [string, string]];
  const [chosen, other] = isOfType ? [second, first] : [first, second];
  const meanings = values.map(({ value }) => [value, kept.includes(value) ? chosen : other] as const);
  return valuesSetting(table, { [column]: Object.fromEntries(meanings) });
}
