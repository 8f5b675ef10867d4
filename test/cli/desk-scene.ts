import { expect, onTestFinished } from 'vitest';
import type { DeskRun, DeskState, RunRequest } from '../../src/desk/shapes.ts';
import { start } from './in-process.ts';

/** No program can have this name, so no process starts. */
export const env = { BROWSER: '\0' };

/**
 * The desk in a folder of its own, and a browser that was let in.
 *
 * @param variables Variables of its environment.
 */
export async function openDesk(
  args: readonly string[],
  folder: string,
  starting: typeof start = start,
  variables: Record<string, string> = {},
) {
  const program = starting(['desk', ...args], { folder, env: { ...env, ...variables } });
  const entrance = /http:\S+/.exec((await program.line('Desk: ')) ?? '')![0];
  onTestFinished(async () => {
    program.kill('SIGTERM');
    await program.ended;
  });
  const { origin } = new URL(entrance);
  // The next desk has the same port, and connections of this one would be used for it.
  const connection = 'close';
  const entered = await fetch(entrance, { redirect: 'manual', headers: { connection } });
  const cookie = entered.headers.get('set-cookie')!.split(';', 1)[0]!;
  const request = (path: string, init: RequestInit = {}) =>
    fetch(origin + path, { ...init, headers: { cookie, connection, ...init.headers } });
  const ask = async <Answer>(name: string): Promise<Answer> => (await request(`/desk/data/${name}`)).json() as never;
  const send = (name: string, body: string, headers: Record<string, string> = {}) =>
    request(`/desk/data/${name}`, { method: 'POST', body, headers: { ...ownHeaders(origin), ...headers } });
  /** The same for an object, with the version that the page would have seen. */
  const change = async <Answer>(name: string, body: object): Promise<{ status: number; answer: Answer }> => {
    const { version } = await ask<DeskState>('state');
    const answer = await send(name, JSON.stringify({ version, ...body }));
    return { status: answer.status, answer: (await answer.json()) as never };
  };
  const put = (path: string, body: string, type = 'text/csv') =>
    request(`/desk/data/${path}`, { method: 'PUT', body, headers: { ...ownHeaders(origin), 'content-type': type } });
  /** The state once the export was looked at and counted. */
  const counted = async (): Promise<DeskState> => {
    const state = () => ask<DeskState>('state');
    await expect.poll(async () => (await state()).run?.endedAtMs ?? null, { timeout: 60_000 }).not.toBeNull();
    return await state();
  };
  /** Starts a run, and returns it once it has ended. */
  const ran = async (asked: RunRequest): Promise<DeskRun> => {
    // Counting would begin at its end, and be taken for it.
    await counted();
    const started = await send('run', JSON.stringify(asked));
    expect([started.status, asked]).toEqual([200, asked]);
    return (await counted()).run!;
  };
  return { program, entrance, origin, request, ask, send, change, put, counted, ran };
}

const ownHeaders = (origin: string) => ({
  origin,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  'x-chatferry': 'desk',
});
