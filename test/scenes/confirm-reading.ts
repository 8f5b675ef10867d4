import { expect } from 'vitest';
import { run } from '../cli/in-process.ts';

/**
 * Confirms how rows are read as a person does who has seen what becomes of them: by the digest of its picture.
 *
 * @param arguments_ Of a plan.
 */
export async function confirmReading(folder: string, ...arguments_: readonly string[]): Promise<void> {
  const plan = ['plan', ...arguments_, '--quiet'];
  const shown = await run(plan, { folder });
  const [, digest] = /--confirm-reading (\w+)/.exec(shown.stdout) ?? [];
  expect({ code: shown.code, digest }, shown.stdout + shown.stderr).toEqual({ code: 2, digest: expect.any(String) });
  expect(await run([...plan, '--confirm-reading', digest!], { folder })).not.toMatchObject({ code: 2 });
}
