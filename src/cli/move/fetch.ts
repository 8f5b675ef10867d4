import { type Command, Option } from 'commander';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { formatBytes } from '../../lib/text/quantity.ts';
import { countOf, formatCount, formatUtc } from '../../report/format.ts';
import { exitCodes } from '../../model/exit-codes.ts';
import { type Fetched, fetchMessages } from '../../commands/fetch.ts';
import { normaliseBaseUrl } from '../../service/base-url.ts';
import { type Host, programName } from '../host.ts';
import { agreeToAddress } from '../known-address.ts';
import { addOptions } from '../options/flags.ts';
import { readApiKey } from '../../config/api-key.ts';
import { quoted } from '../../lib/text/shell-word.ts';
import { print } from '../terminal/print.ts';
import { type CommandContext, runs } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';
import { providerNames } from '../../fetch/load-recipe.ts';
import { addProviderFlags, collect, namedProvider, providerFlagNames } from '../options/provider-flags.ts';
import { fetchProvider } from './fetch-provider.ts';

export function addFetch(program: Command, host: Host): void {
  const command = program
    .command('fetch')
    .description(
      `Reads history out of a provider's API into a folder, which is an export: --from ${providerNames().join(', ')}: ${docsLink('guides/fetch')}.\n` +
        `Or, with an address, the messages that a chat service of this kind lists, as NDJSON: ${docsLink('reference/sources/chat-service')}.\n` +
        'If it is killed at any moment, the same command continues. Changes nothing where it reads. ' +
        'The key of a provider comes from --api-key-file or CHATFERRY_FROM_KEY.',
    )
    // Under the shared names, with what they mean here.
    .addOption(new Option('--out <PATH>', 'Folder for the answers of a provider; or file to write, NDJSON'))
    .addOption(
      new Option('--only <ID>', 'Only this conversation of a provider, by its id there; once for each').argParser(
        collect,
      ),
    )
    .addOption(
      new Option('--answers <FILE>', 'Play the answers in this file instead of asking the provider: to test a recipe'),
    )
    .addOption(new Option('--with-files', 'Fetch the files of messages too, before their addresses expire'))
    .addOption(new Option('--rate <N>', 'Requests per minute: 60 or 60/min (default: as many as are allowed)'));
  addProviderFlags(command);
  addOptions(command, [
    'force',
    'conversation',
    'since',
    'until',
    'pageSize',
    'apiKeyFile',
    'json',
    'quiet',
    'progress',
  ]);
  command.action(
    runs(
      host,
      async (options, around) => {
        const provider = namedProvider(command, options.from);
        return provider ? await fetchProvider(options, provider, around) : await fetchService(options, around);
      },
      providerFlagNames,
    ),
  );
}

async function fetchService(options: Options, around: CommandContext): Promise<number> {
  const { from, out } = placesOf(options);
  const { host, clock, random, progress, stopping: signal } = around;
  await agreeToAddress(normaliseBaseUrl(from), around.said('from'), around);
  const startedMs = clock.monotonic();
  const fetched = await fetchMessages({
    ...{ from, out },
    apiKey: readApiKey(options.apiKeyFile, host.env, host.readInput),
    mayReplace: options.force,
    conversation: options.conversation,
    since: options.since,
    until: options.until,
    pageSize: options.pageSize,
    perMinute: options.rate,
    ...{ clock, random, progress, signal },
  });
  const elapsedMs = Math.round(clock.monotonic() - startedMs);
  const exit = exitCodes.done;
  print(
    host,
    options.json
      ? JSON.stringify({ command: 'fetch', from, out, ...fetched, elapsedMs, exit })
      : describe(fetched, options, out),
  );
  return exit;
}

function placesOf({ from, out, since, until }: Options): { from: string; out: string } {
  if (from === undefined) {
    throw new UsageError('Cannot fetch: --from is missing', {
      hint: `Pass a provider (${providerNames().join(', ')}), or the address of a chat service before /v3`,
    });
  }
  if (out === undefined) throw new UsageError('Cannot fetch: --out is missing', { hint: 'Pass --out messages.ndjson' });
  if (out === '-' || /\.gz$/i.test(out)) {
    throw new UsageError(
      `Cannot fetch into "${out}": expected a plain file, because an interrupted fetch continues at its end`,
      {
        hint: 'Pass --out messages.ndjson, and pack it afterwards',
      },
    );
  }
  if (since !== undefined && until !== undefined && since > until) {
    throw new UsageError('Cannot fetch: --until is before --since', { hint: 'Exchange the two' });
  }
  return { from, out };
}

function describe(fetched: Fetched, { conversation }: Options, out: string): string {
  const { messages, conversations, pages, bytes, firstAtMs, lastAtMs, continuedFrom, requests } = fetched;
  const lines = [
    row('Fetched', `${countOf(messages, 'message')} in ${countOf(conversations, 'conversation')}`),
    ...(continuedFrom > 0 ? [row('  before', `${formatCount(continuedFrom)} by runs before this one`)] : []),
    row('Pages', `${formatCount(pages)}, ${countOf(requests.list, 'request')} in this run`),
    row('From', firstAtMs === null ? '-' : formatUtc(firstAtMs)),
    row('To', lastAtMs === null ? '-' : formatUtc(lastAtMs)),
    row('File', `${oneLine(out)}, ${formatBytes(bytes)}`),
    '',
  ];
  if (messages === 0) {
    const which =
      conversation === undefined ? 'The service lists no messages' : `No messages in "${oneLine(conversation)}"`;
    const hint = conversation === undefined ? '' : ': the id is group_<guid>, or <uid>_user_<uid>';
    return [...lines, `${which}${hint}`].join('\n');
  }
  return [...lines, 'Next', `  ${programName} plan ${quoted(out)}`].join('\n');
}

const row = (name: string, text: string): string => `${name.padEnd(10)}${text}`;
