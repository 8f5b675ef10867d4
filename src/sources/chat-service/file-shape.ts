import { parseJsonHead } from '../../io/json/json-head.ts';
import type { JsonRowsAt } from '../kit/json-rows.ts';
import { ToUtf8 } from '../../io/to-utf8.ts';

/** How much of a file is looked at. The lists come first in what the service writes, so the first kilobytes show them. */
export const shapeBytes = 64 * 1024;

/**
 * How the rows of a file are reached: `lines` and `values` hold messages, answers or bodies one behind another; `list` is one
 * array, answer or body.
 *
 * @param head The beginning of the file, `shapeBytes` or all of it.
 */
export function shapeOf(path: string, head: Uint8Array): JsonRowsAt {
  const isNamedByLine = /\.(?:ndjson|jsonl)$/i.test(path);
  if (isNamedByLine) return { layout: 'lines' };
  const text = new ToUtf8();
  const bytes = Buffer.concat([text.push(head), text.end()]);
  const first = parseJsonHead(bytes);
  const behind = first?.isComplete ? bytes.toString('latin1', first.byteCount) : '';
  // Behind the first value stands another one: they come one a line, unless one needs several.
  if (/\S/.test(behind)) {
    const isOneLine = /^[ \t\r]*\n/.test(behind) && !bytes.subarray(0, first!.byteCount).includes('\n');
    return { layout: isOneLine ? 'lines' : 'values' };
  }
  const value = first?.value;
  if (Array.isArray(value)) return { layout: 'list', pattern: [] };
  if (value && 'data' in value && Array.isArray(value.data)) return { layout: 'list', pattern: ['data'] };
  if (value && 'messages' in value && isContainer(value.messages)) return { layout: 'list', pattern: ['messages'] };
  return { layout: 'values' };
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;
