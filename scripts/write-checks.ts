import { type Severity, severities } from '../src/model/severity.ts';
import { describeEffect } from '../src/decisions/decision.ts';
import { checkTopics } from '../src/mapping/checks.ts';
import { type Option, withCount } from '../src/model/option.ts';
import type { Check } from '../src/mapping/checks/check.ts';
import { type Pages, withLinks, writePages } from './pages.ts';

/** The pages of the checks, from their registry: a page for each topic, and one that says which code is where. */

export const checksFolder = 'reference/checks';

const headings: Readonly<Record<Severity, string>> = {
  blocks: 'The message is not sent',
  decision: 'Needs your decision',
  information: 'Notes',
};

export function renderChecks(): Pages {
  const topics = checkTopics().map((topic) => [`${checksFolder}/${topic.name}.md`, topicPage(topic)] as const);
  return new Map([[`${checksFolder}/index.md`, indexPage()], ...topics]);
}

type Topic = ReturnType<typeof checkTopics>[number];

function topicPage({ name, title, checks }: Topic): string {
  const sections = severities.flatMap((severity) => {
    const found = checks.filter((check) => check.severity === severity);
    return found.length === 0 ? [] : [`## ${headings[severity]}\n\n${table(severity, found)}\n`];
  });
  const about = `Read this if a report names a code about ${title}, and you want to know what it means and what to do.`;
  return withLinks(`# Checks: ${title}\n\n${about}\n\n${sections.join('\n')}`, `${checksFolder}/${name}.md`);
}

function table(severity: Severity, checks: readonly Check[]): string {
  const ends = severity === 'decision' ? ['question', 'your options', 'if you do nothing'] : ['what to do'];
  const head = ['code', 'finds', 'what it means', ...ends];
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...checks.map(row)].join('\n');
}

function row(check: Check): string {
  const { code, title, explanation } = check;
  const ends =
    check.severity === 'decision'
      ? [check.question, check.options.map(option).join('<br>'), check.otherwise]
      : [check.remedy];
  return `| \`${code}\` | ${[title, explanation, ...ends].map(cell).join(' | ')} |`;
}

/** With the command that takes it. */
function option({ does, effect }: Option): string {
  const command = describeEffect(effect);
  const words = withCount(does, 'these messages');
  return command === '' ? `${words} (outside of Chatferry)` : `${words}: \`${command}\``;
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/<(?!br>)/g, '&lt;');

function indexPage(): string {
  const rows = checkTopics().map(({ name, title, checks }) => {
    const codes = checks.map(({ code }) => `\`${code}\``);
    return `| [${title}](${name}.md) | ${codes.join(', ')} |`;
  });
  return `${introduction}\n\n| about | codes |\n|---|---|\n${rows.join('\n')}\n`;
}

const introduction = `# Checks

Read this if a report names a code, such as \`attachment-expires\`, and you want the page that explains it.

\`chatferry plan\` asks these questions of every export before anything is sent. The report groups what it finds: how many, the first
locations, what it means and what to do. \`chatferry checks\` prints the list, \`chatferry checks CODE\` explains one, with the setting for
\`chatferry init\` where an option is one.
\`plan --fail-on blocks\`, \`--fail-on decision\` or \`--fail-on information\` ends with exit code 3 if something of that severity or a worse
one was found, for scripts that must stop there.

If there are many findings of one kind, the report keeps the locations of the first 100 for each file and code (1,000 for questions about the
export as a whole); all are counted. Codes in capitals are those of the service. \`npm run checks-page\` writes these pages.`;

if (import.meta.main) writePages(checksFolder, renderChecks());
