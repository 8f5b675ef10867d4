import { readFileSync } from 'node:fs';
import { UsageError } from '../../lib/errors.ts';
import type { Host } from '../host.ts';

/** A body as JSON text, which is sent as it is, and as the value that it stands for. */
export interface GivenBody {
  readonly bodyText: string;
  readonly body: unknown;
}

/**
 * The body that `--data` gives: JSON, `@FILE`, or `-` for standard input.
 *
 * @throws UsageError that says where the JSON is broken.
 */
export function readBody(data: string, host: Pick<Host, 'readInput'>): GivenBody {
  const { text, from } = readData(data, host);
  const bodyText = text.replace(/^\uFEFF/, '');
  try {
    return { bodyText, body: JSON.parse(bodyText) };
  } catch (cause) {
    throw new UsageError(`Cannot use ${from} as the body: ${(cause as Error).message}`, {
      hint: `Pass JSON: --data '{"key":"value"}', --data @body.json, or --data - to read standard input`,
      cause,
    });
  }
}

function readData(
  data: string,
  { readInput }: Pick<Host, 'readInput'>,
): { readonly text: string; readonly from: string } {
  if (data === '-') return { text: readText(readInput, 'standard input'), from: 'standard input' };
  if (!data.startsWith('@')) return { text: data, from: 'the text of --data' };
  const path = data.slice(1);
  return { text: readText(() => readFileSync(path, 'utf8'), `"${path}"`), from: `"${path}"` };
}

function readText(read: () => string, name: string): string {
  try {
    return read();
  } catch (cause) {
    throw new UsageError(`Cannot read the body from ${name}: ${(cause as NodeJS.ErrnoException).code}`, { cause });
  }
}
