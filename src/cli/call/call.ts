import type { Command } from 'commander';
import type { Host } from '../host.ts';
import { print } from '../terminal/print.ts';

/**
 * `chatferry call`. The words after the name of the operation go to a parser of its own, which is created only then:
 * the contract of 25 operations takes 15 MB that no other command needs.
 */
export function addCall(program: Command, host: Host): void {
  const call = program
    .command('call')
    .description(
      'Calls one operation of the service and prints its answer as JSON. Parameters are flags, spelled as the service spells them; ' +
        '`chatferry call OPERATION --help` shows those of an operation. What does not fit the contract is not sent.',
    )
    .argument('[OPERATION]', 'such as listMessages')
    .argument('[PARAMETERS...]', 'its parameters as flags')
    .option('--list', 'Lists the operations')
    .allowUnknownOption()
    .helpOption(false)
    .action(async (_operation, _parameters, { list }: { readonly list?: boolean }) => {
      const { buildOperations, operationTable } = await import('./call-operations.ts');
      if (list) print(host, operationTable());
      else await buildOperations(host, call).parseAsync(call.args, { from: 'user' });
    });
}
