import type { Options } from '../../config/options.ts';
import { fetchHistory } from '../../commands/move.ts';
import { playAnswers } from '../../fetch/played-answers.ts';
import type { Manifest } from '../../fetch/manifest.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { countOf, formatCount } from '../../report/format.ts';
import type { CommandContext } from '../command-context.ts';
import { programName } from '../host.ts';
import { type NamedProvider, readProviderKey } from '../options/provider-flags.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { print, printResult } from '../terminal/print.ts';
import type { ProviderFetched } from '../../commands/results.ts';

export async function fetchProvider(
  options: Options,
  provider: NamedProvider,
  around: CommandContext,
): Promise<number> {
  const { host, clock, random, progress, stopping, signal } = around;
  const controls = { clock, random, progress, stopping, signal };
  const { out, since, until } = options;
  const { recipe, settings, only } = provider;
  const played = provider.answers === undefined ? undefined : playAnswers(provider.answers);
  if (out === undefined || out === '-')
    throw new UsageError('Cannot fetch: --out is missing', { hint: 'Pass a folder: --out history' });
  if (since !== undefined && until !== undefined && since > until)
    throw new UsageError('Cannot fetch: --until is before --since', { hint: 'Exchange the two' });
  const { unverified, title } = recipe.recipe;
  if (unverified !== undefined) progress.log(`Unverified: ${title}: ${unverified}`);
  const fetched = await fetchHistory({
    recipe,
    settings,
    key: played ? 'no key is needed for played answers' : readProviderKey(options.apiKeyFile, host),
    transport: played?.transport,
    withFiles: provider.withFiles,
    out,
    sinceMs: since === undefined ? undefined : since * 1000,
    untilMs: until === undefined ? undefined : until * 1000,
    only,
    pageSize: options.pageSize,
    perMinute: options.rate,
    ...controls,
  });
  const exit = fetchExitCode(fetched.manifest);
  printResult(host, options, { command: 'fetch', out, ...fetched, exit }, describe(fetched, title, out));
  for (const request of played?.missing ?? []) print(host, `No answer is written down for ${oneLine(request)}`);
  for (const request of played?.unused() ?? []) print(host, `Nobody asked for ${oneLine(request)}`);
  return exit;
}

function fetchExitCode({ ended, gaps, files }: Manifest): number {
  if (ended === null) return exitCodes.stopped;
  return gaps.length > 0 || Object.keys(files).some((state) => state !== 'here')
    ? exitCodes.someFailed
    : exitCodes.done;
}

const gapsShown = 10;

const fileWords: Readonly<Record<string, string>> = { here: 'fetched', open: 'not fetched yet' };

function describe({ manifest, requests }: ProviderFetched, title: string, out: string): string {
  const width = Math.max(14, ...Object.keys(manifest.steps).map((name) => name.length)) + 2;
  const rows = Object.entries(manifest.steps).map(
    ([name, { rows: count, lists, open, edited, removed, private: hidden }]) => {
      const parts = [
        `${formatCount(count)} in ${countOf(lists, 'list')}`,
        ...(open > 0 ? [`${formatCount(open)} not read yet`] : []),
        ...(edited > 0 ? [`${formatCount(edited)} edited`] : []),
        ...(removed > 0 ? [`${formatCount(removed)} removed`] : []),
        ...(hidden > 0 ? [`${formatCount(hidden)} private: never imported unless a mapping says so`] : []),
      ];
      return `  ${name.padEnd(width)}${parts.join('; ')}`;
    },
  );
  const shown = manifest.gaps
    .slice(0, gapsShown)
    .map(({ step, of, why }) => `  ${step} ${oneLine(Object.values(of).join(' '))}: ${oneLine(why)}`);
  const more = manifest.gaps.length - shown.length;
  return [
    `${manifest.ended === null ? 'Fetched so far' : 'Fetched'} from ${title}, with ${countOf(requests.list, 'request')} in this run`,
    ...rows,
    ...Object.entries(manifest.files).map(
      ([state, count]) => `  ${'files'.padEnd(16)}${formatCount(count)} ${fileWords[state] ?? state}`,
    ),
    ...(shown.length > 0 ? ['Not given by the provider:', ...shown] : []),
    ...(more > 0 ? [`  and ${formatCount(more)} more in ${oneLine(out)}/chatferry-fetch.json`] : []),
    '',
    ...(manifest.ended === null ? ['The same command continues'] : ['Next', `  ${programName} plan ${quoted(out)}`]),
  ].join('\n');
}
