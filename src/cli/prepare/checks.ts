import type { Command } from 'commander';
import type { SourceCode } from '../../sources/source.ts';
import { severities } from '../../model/severity.ts';
import { catalogue, findCheck, describeRemedy, answersTo } from '../../mapping/checks.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { type Host, programName } from '../host.ts';
import { addOptions } from '../options/flags.ts';
import { print } from '../terminal/print.ts';
import { addAction } from '../command-context.ts';

export function addChecks(program: Command, host: Host): void {
  const command = program
    .command('checks')
    .description('Lists every check with its severity, or explains one.')
    .argument('[CODE]', 'a code from a report, such as attachment-expires');
  addOptions(command, ['json']);
  addAction(command, host, async (options, _around, code?: string) => {
    const listed = code === undefined ? catalogue : [known(code)];
    if (options.json) print(host, JSON.stringify({ checks: listed.map(plain) }));
    else print(host, code === undefined ? list() : explained(listed[0]!));
    return exitCodes.done;
  });
}

function known(code: string): SourceCode {
  const check = findCheck(code);
  if (check) return check;
  throw new UsageError(`Cannot explain "${oneLine(code)}": no check has this code`, {
    hint: 'Run "chatferry checks" for the list; codes in capitals are those of the service',
  });
}

const headings = {
  blocks: 'Blocks the message: it is invalid',
  decision: 'Needs a decision; the last line says what happens without one',
  information: 'For your information',
} as const;

function list(): string {
  const width = Math.max(...catalogue.map(({ code }) => code.length));
  return severities
    .map((severity) => {
      const lines = catalogue
        .filter((check) => check.severity === severity)
        .map(({ code, title }) => `  ${code.padEnd(width)}  ${title}`);
      return [headings[severity], ...lines].join('\n');
    })
    .join('\n\n');
}

function explained(check: SourceCode): string {
  const { code, severity, title, explanation } = check;
  const head = `${code}: ${title}\n${headings[severity]}\n\n${explanation}\n\n`;
  if (check.severity !== 'decision') return `${head}What to do: ${check.remedy}`;
  const settingCommands = (index: number) =>
    answersTo(code).flatMap(({ option, sets }) =>
      option === index
        ? [`\n    ${programName} init EXPORT ${sets.map(([key, value]) => `--set ${key}=${value}`).join(' ')}`]
        : [],
    );
  const options = check.options.map((option, index) => `\n  - ${option}${settingCommands(index).join('')}`);
  return `${head}Options:${options.join('')}\n\nIf you do nothing: ${check.otherwise}.`;
}

/** A check without its question. */
function plain(check: SourceCode) {
  const { code, severity, title, explanation } = check;
  const words = { code, severity, title, explanation, remedy: describeRemedy(check) };
  if (check.severity !== 'decision') return words;
  const answers = answersTo(code).map(({ option, sets }) => ({ option, sets: Object.fromEntries(sets) }));
  return { ...words, options: check.options, otherwise: check.otherwise, answers };
}
