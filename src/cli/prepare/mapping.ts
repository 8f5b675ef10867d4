import type { Command } from 'commander';
import { oneLine } from '../../lib/text/plain-text.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { testMapping } from '../../commands/prepare.ts';
import { profileOf } from '../../delivery/target.ts';
import type { Host } from '../host.ts';
import { addOptions } from '../options/flags.ts';
import { printResult } from '../terminal/print.ts';
import { addAction } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';
import type { ExampleResult } from '../../commands/results.ts';

interface FileResult {
  readonly file: string;
  readonly examples: readonly ExampleResult[];
}

export function addMapping(program: Command, host: Host): void {
  const mapping = program
    .command('mapping')
    .description(`Commands for mapping files: ${docsLink('reference/mapping')}.`);
  const test = mapping
    .command('test')
    .summary('run the examples in mapping files')
    .description(
      'Runs the examples in mapping files, records and what must become of them, and shows every difference.\n' +
        'Exit code 0 if there are none, else 2. The profile sets the limits that apply (default: none).',
    )
    .argument('<FILE...>', 'mapping files');
  addOptions(test, ['profile', 'json']);
  addAction(test, host, async (options, _, files: string[]) => {
    const { limits } = profileOf({ to: 'sandbox', profile: options.profile, overrides: {} });
    const results: FileResult[] = [];
    for (const file of files) results.push({ file, examples: await testMapping(file, { limits }) });
    const failed = results.flatMap(({ examples }) => examples.filter((example) => example.differences.length > 0));
    const exit = failed.length > 0 ? exitCodes.usage : exitCodes.done;
    const result = { command: 'mapping test', files: results, exit };
    return printResult(host, options, result, results.map(describe).join('\n'));
  });
}

function describe({ file, examples }: FileResult): string {
  const failed = examples.filter(({ differences }) => differences.length > 0);
  const count = `${examples.length} ${examples.length === 1 ? 'example' : 'examples'}`;
  if (examples.length === 0) return `${oneLine(file)}: no examples`;
  if (failed.length === 0) return `${oneLine(file)}: ${count}, as the file says`;
  return [
    `${oneLine(file)}: ${failed.length} of ${examples.length} not as the file says`,
    ...failed.map(describeFailed),
  ].join('\n');
}

function describeFailed({ place, name, differences }: ExampleResult): string {
  const lines = differences.flatMap(({ path, expected, found }) => [
    `    ${oneLine(path)}`,
    `      expected  ${oneLine(expected)}`,
    `      found     ${oneLine(found)}`,
  ]);
  return [`  ${oneLine(place)}: ${oneLine(name)}`, ...lines].join('\n');
}
