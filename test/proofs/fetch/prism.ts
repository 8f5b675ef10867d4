import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { npmInstall } from '../npm-install.ts';

/** The independent tool that plays an API by its description, and checks every request and answer against it. */
const prism = '@stoplight/prism-cli@5.16.0';

/** @returns False where npm has no way to its registry. */
export const installPrism = (folder: string): Promise<boolean> => npmInstall(folder, [prism]);

export interface Played {
  readonly url: string;
  /** Requests and answers that do not fit the description, as Prism writes them. */
  faults(): readonly string[];
  stop(): Promise<void>;
}

/**
 * Plays the API of a description; with `upstream`, passes requests on to a server there and checks what it answers.
 *
 * @param folder In which Prism was installed.
 * @param checksExamples Whether the examples of the description have to fit it, as the requests do.
 */
export async function playApi(
  folder: string,
  description: string,
  upstream?: () => string,
  checksExamples = true,
): Promise<Played> {
  const port = await freePort();
  const errors = checksExamples ? ['--errors'] : [];
  const mode = upstream ? ['proxy', ...errors, description, upstream()] : ['mock', ...errors, description];
  const child = spawn(process.execPath, [
    join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js'),
    ...mode,
    '-p',
    String(port),
  ]);
  let log = '';
  const isUp = new Promise<void>((resolve, reject) => {
    const add = (chunk: Buffer) => {
      log += chunk;
      if (log.includes('Prism is listening')) resolve();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.once('exit', () => reject(new Error(`Prism ended: ${log.slice(-2000)}`)));
  });
  await isUp;
  return {
    url: `http://127.0.0.1:${port}`,
    faults: () =>
      log
        .split('\n')
        .filter((line) => /✖|violation|did not pass/i.test(line))
        .filter((line) => checksExamples || !/violation: response/i.test(line)),
    stop: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
