import type { Command } from 'commander';
import type { SourceCode } from '../../sources/source.ts';
import { severities } from '../../model/severity.ts';
import { describeEffect } from '../../decisions/decision.ts';
import { catalogue, findCheck, describeRemedy } from '../../mapping/checks.ts';
import { withCount } from '../../model/option.ts';
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
    const listed = code === undefined ? catalogue() : [known(code)];
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
  const width = Math.max(...catalogue().map(({ code }) => code.length));
  return severities
    .map((severity) => {
      const lines = catalogue()
        .filter((check) => check.severity === severity)
        .map(({ code, title }) => `  ${code.padEnd(width)}  ${title}`);
      return [headings[severity], ...lines].join('\n');
    })
    .join('\n\n');
}

function explained(check: SourceCode): string {
  const { code, severity, title, explanation } = check;
  const head = `${code}: ${title}\n${headings[severity]}\n\n${explanation}\n\n`;
  const asked = check.severity === 'decision' ? check : check.asked;
  const end = check.severity === 'decision' ? `If you do nothing: ${check.otherwise}.` : `What to do: ${check.remedy}`;
  if (asked === undefined) return `${head}${end}`;
  const options = asked.options.map(({ does, effect }) => {
    const line = describeEffect(effect);
    return `  - ${genericWords(does)}${line === '' ? ' (outside of Chatferry)' : `\n    ${programName} ${line}`}`;
  });
  return `${head}${asked.question}\n${options.join('\n')}\n\n${end}`;
}

/** A check without how it looks. */
function plain(check: SourceCode) {
  const { code, severity, title, explanation } = check;
  const words = { code, severity, title, explanation, remedy: describeRemedy(check) };
  const asked = check.severity === 'decision' ? check : check.asked;
  return {
    ...words,
    ...(asked && {
      question: asked.question,
      options: asked.options.map((option) => ({ ...option, does: genericWords(option.does) })),
    }),
    ...(check.severity === 'decision' && { otherwise: check.otherwise }),
  };
}

const genericWords = (does: string): string => withCount(does, 'these messages');
