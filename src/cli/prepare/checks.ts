import type { Command } from 'commander';
import { type Check, remedyOf, severities } from '../../mapping/check.ts';
import { catalogue, checkOf } from '../../mapping/check-registry.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import type { Host } from '../host.ts';
import { addOptions } from '../options/flags.ts';
import { print } from '../terminal/print.ts';
import { runs } from '../surroundings.ts';

export function addChecks(program: Command, host: Host): void {
  const command = program
    .command('checks')
    .description('Lists every check with its severity, or explains one.')
    .argument('[CODE]', 'a code from a report, such as attachment-expires');
  addOptions(command, ['json']);
  command.action(
    runs(host, async (options, _around, code?: string) => {
      const listed = code === undefined ? catalogue : [known(code)];
      if (options.json) print(host, JSON.stringify({ checks: listed.map(plain) }));
      else print(host, code === undefined ? list() : explained(listed[0]!));
      return exitCodes.done;
    }),
  );
}

function known(code: string): Check {
  const check = checkOf(code);
  if (check) return check;
  throw new UsageError(`Cannot explain "${oneLine(code)}": no check has this code`, {
    hint: 'Run "chatferry checks" for the list; codes in capitals are those of the service',
  });
}

const headings = {
  blocks: 'Blocks the message: it is rejected',
  decision: 'Needs a decision: the message is sent, and somebody should say whether that is right',
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

function explained(check: Check): string {
  const { code, severity, title, explanation } = check;
  const head = `${code}: ${title}\n${headings[severity]}\n\n${explanation}\n\n`;
  if (check.severity !== 'decision') return `${head}What to do: ${check.remedy}`;
  const options = check.options.map((option) => `\n  - ${option}`);
  return `${head}Options:${options.join('')}\n\nIf you do nothing: ${check.otherwise}.`;
}

/** A check without its question. */
function plain(check: Check) {
  const { code, severity, title, explanation } = check;
  const words = { code, severity, title, explanation, remedy: remedyOf(check) };
  return check.severity === 'decision' ? { ...words, options: check.options, otherwise: check.otherwise } : words;
}

/** docs/reference/checks.md: the same list as a page. */
export function renderChecks(): string {
  const sections = severities.map((severity) => {
    const checks = catalogue.filter((check) => check.severity === severity);
    const ends = severity === 'decision' ? ['the options', 'if you do nothing'] : ['what to do'];
    const head = ['code', 'finds', 'what it means', ...ends];
    const lines = [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...checks.map(row)];
    return `## ${headings[severity]}\n\n${lines.join('\n')}\n`;
  });
  return `# What a plan looks for\n\n${introduction}\n\n${sections.join('\n')}`;
}

function row(check: Check): string {
  const { code, title, explanation } = check;
  const ends = check.severity === 'decision' ? [remedyOf(check), check.otherwise] : [check.remedy];
  return `| \`${code}\` | ${[title, explanation, ...ends].map(cell).join(' | ')} |`;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const introduction = `\`chatferry plan\` asks these questions of every export before anything is sent, and the report groups what it finds: how many, the
first places, what it means and what to do. \`chatferry checks\` prints this list, \`chatferry checks CODE\` explains one.
\`plan --fail-on blocks\`, \`--fail-on decision\` or \`--fail-on information\` ends with exit code 3 where something of that severity or
a worse one was found, for scripts that should stop there.

Of findings that are many, the places of the first are kept, 100 for each file and code (1,000 for questions about the export as a
whole); all are counted. Codes in capitals in a report are those of the service.`;
