import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import type { Options } from '../../config/options.ts';
import { UsageError } from '../../lib/errors.ts';
import { formatDuration } from '../../lib/text/quantity.ts';
import { countOf } from '../../lib/text/count.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import { examine, doctorExitCode, examineProviderAccess, probeLeftovers } from '../../commands/prepare.ts';
import { targetOptionsOf } from '../../commands/session.ts';
import { lastAddress } from '../../commands/check.ts';
import { addressOf } from '../../delivery/target.ts';
import { saidDestination } from '../agreed-target.ts';
import type { Host } from '../host.ts';
import { agreeToAddress } from '../known-address.ts';
import { addOptions, optionGroups } from '../options/flags.ts';
import { print, printResult, terminalStyle } from '../terminal/print.ts';
import { readApiKey } from '../../config/api-key.ts';
import { addAction, type CommandContext } from '../command-context.ts';
import { addProviderFlags, type NamedProvider, namedProvider, readProviderKey } from '../options/provider-flags.ts';
import { type Format, paint } from '../../report/format.ts';
import { docsLink } from '../../lib/docs-link.ts';
import type { DoctorRequest } from '../../commands/requests.ts';
import type { DoctorFinding } from '../../commands/results.ts';

const { store, target } = optionGroups;

export function addDoctor(program: Command, host: Host): void {
  const command = program
    .command('doctor')
    .description(
      `Checks everything that an import needs, and prints what to do: ${docsLink('guides/doctor')}. Changes nothing, unless ` +
        '--probe-duplicates asks for it. Without a destination (--app-id and ' +
        '--region for an app of the hosted service, --to for any other) it checks the destination of the last import.',
    )
    .argument(
      '[EXPORT...]',
      'folders, archives, files or the address of a database: checks whether they open and which source they come from',
    );
  addProviderFlags(command);
  addOptions(command, [
    ...store,
    ...target,
    'source',
    'mapping',
    'apiKeyFile',
    'rate',
    'gracePeriod',
    'duplicates',
    'probeDuplicates',
    'yes',
    'json',
  ]);
  addAction(command, host, async (options, around, exports: string[]) => {
    const provider = await namedProvider(command, options.from, around);
    return provider ? await diagnoseProvider(options, provider, around) : await diagnose(options, around, exports);
  });
}

/** Looks at what a fetch from a provider needs; at no destination. */
async function diagnoseProvider(options: Options, provider: NamedProvider, around: CommandContext): Promise<number> {
  const { host, clock, random, progress, stopping: signal } = around;
  const findings = await report(
    examineProviderAccess({
      ...provider,
      readKey: () => readProviderKey(options.apiKeyFile, host),
      perMinute: options.rate,
      onWait: (ms, why) => progress.log(`Waiting ${formatDuration(ms)}: ${why}`),
      clock,
      random,
      signal,
    }),
    options,
    host,
  );
  const result = { command: 'doctor', from: provider.recipe.name, findings, exit: doctorExitCode(findings) };
  return printResult(host, options, result, `\n${verdict(findings)}`);
}

async function report(
  examined: AsyncIterable<DoctorFinding>,
  { json }: Options,
  host: Host,
): Promise<readonly DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for await (const finding of examined) {
    findings.push(finding);
    if (!json) print(host, describe(finding, terminalStyle(host)));
  }
  return findings;
}

async function diagnose(options: Options, around: CommandContext, exports: string[]): Promise<number> {
  const { host } = around;
  const to = options.to ?? findLastAddress(options.store) ?? 'sandbox';
  if (options.probeDuplicates && !options.yes) throw await wouldLeave(options.appId ?? to);
  const address = usableAddress(options, to);
  if (address !== undefined) await agreeToAddress(address, options.yes || saidDestination(around), around);
  const findings = await report(examine(buildRequest(options, to, around, exports)), options, host);
  const about = { command: 'doctor', store: options.store, destination: options.appId ?? to };
  const result = { ...about, findings, exit: doctorExitCode(findings) };
  return printResult(host, options, result, `\n${verdict(findings)}`);
}

/** Returns the address to which the key would be sent; undefined for the sandbox, and for a value that is no address: that is a finding. */
function usableAddress(options: Options, to: string): string | undefined {
  if (to === 'sandbox' && options.appId === undefined) return undefined;
  try {
    return addressOf({ ...options, to });
  } catch {
    return undefined;
  }
}

const wouldLeave = async (to: string) =>
  new UsageError(
    `Cannot probe without being asked to: it would leave at ${to === 'sandbox' ? 'the embedded sandbox' : oneLine(to)} ${await probeLeftovers()}`,
    {
      hint: 'Pass --yes together with --probe-duplicates if that may stay there',
    },
  );

function buildRequest(options: Options, to: string, around: CommandContext, exports: readonly string[]): DoctorRequest {
  return {
    ...targetOptionsOf(options, to),
    store: options.store,
    exports,
    source: options.source,
    mapping: options.mapping,
    readKey: () => readApiKey(options.apiKeyFile, around.host.env, around.host.readInput),
    probeDuplicates: options.probeDuplicates,
    onSlow: (leftMs) => around.progress.log(`No answer yet; waiting ${formatDuration(leftMs)} more at most`),
    clock: around.clock,
    random: around.random,
    signal: around.stopping,
  };
}

/** Returns the address of the last import; a store that does not open is a finding, and no reason to skip the other checks. */
function findLastAddress(storePath: string): string | undefined {
  if (!existsSync(storePath)) return undefined;
  try {
    return lastAddress(storePath);
  } catch {
    return undefined;
  }
}

const marks: Readonly<Record<DoctorFinding['level'], readonly [text: string, format: Format]>> = {
  ok: ['ok     ', 'green'],
  warning: ['warning', 'yellow'],
  error: ['error  ', 'red'],
};

function describe(finding: DoctorFinding, terminal: ReturnType<typeof terminalStyle>): string {
  const { name, level, says } = finding;
  const [text, format] = marks[level];
  const line = `${paint(format, text, terminal)}  ${name.padEnd(10)}  ${oneLine(says)}`;
  return level === 'ok' ? line : `${line}\n${' '.repeat(21)}→ ${oneLine(finding.todo)}`;
}

function verdict(findings: readonly DoctorFinding[]): string {
  const { error = [], warning = [] } = Object.groupBy(findings, ({ level }) => level);
  if (error.length > 0) return `Not ready: ${countOf(error.length, 'error')}, ${warning.length} to review`;
  return warning.length > 0 ? `Ready, with ${warning.length} to review` : 'Ready: no errors, no warnings';
}
