import { type Command, Option } from 'commander';
import { UsageError } from '../../lib/errors.ts';
import type { Host } from '../host.ts';
import { addOptions } from '../options/flags.ts';
import { addAction } from '../command-context.ts';
import { docsLink } from '../../lib/docs-link.ts';
import { providerNames } from '../../fetch/load-recipe.ts';
import { addProviderFlags, collect, namedProvider } from '../options/provider-flags.ts';
import { fetchProvider } from './fetch-provider.ts';

export function addFetch(program: Command, host: Host): void {
  const command = program
    .command('fetch')
    .description(
      `Reads history out of a provider's API into a folder, which is an export: --from ${providerNames().join(', ')}: ${docsLink('guides/fetch')}.\n` +
        `An address, such as --from https://old-app.api-eu.example.com, is that of an app of the chat service: ${docsLink('reference/sources/chat-service')}.\n` +
        'If it is killed at any moment, the same command continues. Changes nothing where it reads. ' +
        'The key comes from --api-key-file or CHATFERRY_FROM_KEY.',
    )
    // Under the shared names, with what they mean here.
    .addOption(new Option('--out <FOLDER>', 'Folder for the answers of the provider'))
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
  addOptions(command, ['since', 'until', 'pageSize', 'apiKeyFile', 'json', 'quiet', 'progress']);
  addAction(
    command,
    host,
    async (options, around) => {
      const provider = await namedProvider(command, options.from, around);
      if (provider) return await fetchProvider(options, provider, around);
      throw new UsageError('Cannot fetch: --from is missing', {
        hint: `Pass a provider (${providerNames().join(', ')}), or the address of a chat service before /v3`,
      });
    },
    ['only'],
  );
}
