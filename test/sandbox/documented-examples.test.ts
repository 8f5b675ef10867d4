import { expect, it, onTestFinished } from 'vitest';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { createSandbox } from '../../src/sandbox/app.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import { renderServicePages } from '../../scripts/write-service-api.ts';
import type { Operation } from '../../src/service/operation.ts';
import { operations } from '../../src/service/operations.ts';
import { clockAt } from './fixture.ts';

const text = [...renderServicePages().values()].join('\n');

/** The curl command of each operation in the order of the specification, with the answer that its page shows. */
const examples = operations.map(({ name }) => {
  const section = text.split(`\n## ${name}\n`)[1] ?? '';
  const [, command = '', answer = ''] =
    /^```sh\n(curl [\s\S]*?)\n\n[\s\S]*?```\n\n```json\n([\s\S]*?)\n```/m.exec(section) ?? [];
  return { command, answer: JSON.parse(answer) };
});

/** Splits a command as a shell does: words, with quotes and continued lines. */
function wordsOf(command: string, env: Readonly<Record<string, string>>): string[] {
  const pieces = /'([^']*)'|"([^"]*)"|\\([\s\S])|(\s+)|([^\s'"\\]+)/g;
  const words = [''];
  for (const [, single, double, escaped, space, bare] of command.matchAll(pieces)) {
    if (space !== undefined || escaped === '\n') words.push('');
    else
      words[words.length - 1] +=
        single ?? escaped ?? (double ?? bare ?? '').replace(/\$(\w+)/g, (_, name) => env[name] ?? '');
  }
  return words.filter((word) => word !== '');
}

/** Returns the request that curl would make from its arguments. */
function requestOf([, ...args]: readonly string[]): { readonly url: string; readonly init: RequestInit } {
  let url = '';
  let method = 'GET';
  let body: string | undefined;
  const headers: [string, string][] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    if (word === '-X') method = args[++at]!;
    else if (word === '-H') headers.push(args[++at]!.split(/: (.*)/s).slice(0, 2) as [string, string]);
    else if (word === '-d') body = args[++at];
    else url = word;
  }
  return { url, init: { method, headers, ...(body !== undefined && { body }) } };
}

it('every curl command of the pages of the service answers as they show, in its order, from a sandbox with the demo', async () => {
  const clock = clockAt(1_790_000_000_000);
  const serve = async (profile: 'spec' | 'hosted') => {
    const store = openSandboxStore(':memory:');
    const sandbox = createSandbox({ apiKey: 'local-key', profile, seed: 'demo', clock, store });
    const server = await serveSandbox(sandbox);
    onTestFinished(async () => {
      await server.close(0);
      sandbox.close();
    });
    return server;
  };
  const [specified, hosted] = [await serve('spec'), await serve('hosted')];
  for (const [index, { command, answer }] of examples.entries()) {
    const { url, init } = requestOf(wordsOf(command, { CHATFERRY_API_KEY: 'local-key' }));
    const { pathname, search } = new URL(url);
    const server = (operations[index] as Operation).isSpecified === false ? hosted : specified;
    const answered = await fetch(server.url + pathname + search, init);
    const json = (await answered.json()) as { readonly data: { readonly dataPoints?: readonly unknown[] } };
    expect(answered.status, `${command}\n${JSON.stringify(json)}`).toBe(200);
    // A day of statistics is cut short on the page.
    if (operations[index]!.name === 'getMessageStats') expect(json.data.dataPoints).toHaveLength(288);
    else expect(json, command).toEqual(answer);
  }
});
