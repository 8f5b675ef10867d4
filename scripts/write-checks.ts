import { catalogue } from '../src/mapping/checks.ts';
import type { Check } from '../src/mapping/checks/check.ts';
import { type Pages, withLinks, writePages } from './pages.ts';

/** The page of the checks, from their registry: a line for each. `chatferry checks CODE` prints the rest. */

export const checksFolder = 'reference/checks';
const page = `${checksFolder}/index.md`;

export const renderChecks = (): Pages =>
  new Map([[page, withLinks(`${introduction}\n\n${lines().join('\n')}\n`, page)]]);

const lines = (): readonly string[] =>
  catalogue()
    .toSorted((one, other) => (one.code < other.code ? -1 : 1))
    .map(({ code, title, severity }) => `- \`${code}\` ${title.replaceAll('<', '&lt;')}${marks[severity]}`);

const marks: Readonly<Record<Check['severity'], string>> = {
  blocks: ' (blocks)',
  decision: ' (asks)',
  information: '',
};

const introduction = `# Checks

Read this if a report names a code, such as \`attachment-expires\`.

    chatferry checks attachment-expires

explains one: what it means, the answers that you have with the setting for each, and what becomes of the messages if you do nothing.
\`chatferry plan\` asks these questions of every export before anything is sent. *Blocks*: the message or row is not sent. *Asks*: a decision is
yours. All others are notes. \`plan --fail-on blocks\`, \`decision\` or \`information\` ends with exit code 3 if something of that severity or a
worse one was found.

A report keeps the locations of the first 100 of one kind for each file (1,000 for questions about the export as a whole); all are counted.
Codes in capitals are those of the service. \`npm run checks-page\` writes this page.`;

if (import.meta.main) writePages(checksFolder, renderChecks());
