import { dirname, relative } from 'node:path';
import type { Command } from 'commander';
import { readTrust } from '../../config/trusted-files.ts';
import type { Options } from '../../config/options.ts';
import { docsLink } from '../../lib/docs-link.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { loadMapping } from '../../mapping/load.ts';
import { yamlLine } from '../../lib/settings.ts';
import { writePeople } from '../../commands/prepare.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { formatCount } from '../../report/format.ts';
import type { Host } from '../host.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { printWritten, writtenTo } from '../terminal/print.ts';
import { addAction } from '../command-context.ts';
import type { WrittenPeople } from '../../commands/results.ts';

export function addPeople(program: Command, host: Host): void {
  const command = program
    .command('people')
    .description(
      'Writes the people of the plan as a table (CSV): id, name, handle, e-mail, messages, and the uid that they get. Fill in the ' +
        `column uid where people have one already, and name the file as people.lookup in the mapping: ${docsLink('guides/people')}.`,
    );
  addOptions(command, ['out', 'force', 'mapping', ...optionGroups.store, 'json', 'quiet', 'progress']);
  addAction(command, host, async (options) => {
    const { store, out = '-', force } = options;
    const mapping = await loadMapping(options.mapping, { trust: readTrust });
    const to = out === '-' ? { stream: host.stdout } : { path: out, mayReplace: force };
    const done = await writePeople({ store, mapping, to });
    const result = { command: 'people', out, ...done, exit: exitCodes.done };
    return printWritten(host, options, result, describe(done, out, options, mapping.lookup !== undefined));
  });
}

function describe(done: WrittenPeople, out: string, { mapping }: Options, hasTable: boolean): string {
  const { byTemplate, byTable, byHand, leftOut, unmatched, bytes } = done;
  const rows = [
    row('People', byTemplate + byTable + byHand, `${formatBytes(bytes)} in ${writtenTo(out, done)}`),
    row('  template', byTemplate, 'uid made by people.uid, or a module'),
    row('  table', byTable, 'uid of people.lookup'),
    row('  by hand', byHand, 'uid of people.uids'),
    ...(unmatched > 0 ? [row('Kept', unmatched, 'rows of people.lookup that match no one in the plan')] : []),
    ...(leftOut > 0 ? [row('Left out', leftOut, 'their ids have blanks around them: set them in people.uids')] : []),
  ];
  if (out === '-' || hasTable) return rows.join('\n');
  const file = relative(mapping === undefined ? '.' : dirname(mapping), out);
  return [
    ...rows,
    '',
    'Next: fill in the column uid where people have one, and name the table in the mapping',
    '  people:',
    `    lookup: ${yamlLine({ file, id: 'id', uid: 'uid' })}`,
  ].join('\n');
}

const row = (name: string, count: number, note: string) =>
  `${name.padEnd(12)}${formatCount(count).padStart(9)}  ${note}`;
