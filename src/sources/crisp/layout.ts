import type { ExportInput } from '../../io/input/export-input.ts';
import { headOrNothing } from '../kit/files/file-bytes.ts';
import { type AnswerLayout, findAnswerLayout } from '../kit/rows/answer-layout.ts';
import type { LeftOutAnswer } from '../kit/rows/answer-rows.ts';
import { readOutline } from '../kit/rows/json-outline.ts';

export type CrispKind = 'operators' | 'conversations';

/** Kind of a row by its keys. */
export function recogniseCrisp(has: (key: string) => boolean): CrispKind | 'messages' | undefined {
  if (has('fingerprint') && has('from') && has('content')) return 'messages';
  if (has('session_id') && has('meta') && has('state')) return 'conversations';
  return has('type') && has('details') ? 'operators' : undefined;
}

const headBytes = 64 * 1024;

/** @returns undefined if it is no answer of Crisp. A file that cannot be read at all may have contained messages. */
export async function findCrispLayout(
  input: ExportInput,
  path: string,
): Promise<AnswerLayout<CrispKind> | LeftOutAnswer | undefined> {
  const layout = await findAnswerLayout<CrispKind>(input, path, { lists: {}, kindOf: recogniseCrisp });
  if (layout) return layout;
  const head = new TextDecoder().decode(await headOrNothing(input, path, headBytes));
  const outline = readOutline(head);
  const top = outline.get('');
  if (!top?.has('error') || !top.has('reason') || !top.has('data')) return undefined;
  if (top.get('error')?.includes('true'))
    return { chat: `Crisp refused the request (${top.get('reason')?.[0] ?? 'no reason'}): fetch it again` };
  const row = outline.get('/data/*');
  if (row?.has('people_id')) return { skip: 'Profiles of contacts: each conversation describes its own visitor' };
  const one = outline.get('/data');
  // The answer is the row: "data" is taken out of it.
  if (one?.has('session_id') && one.has('meta')) return { kinds: new Set(['conversations']), at: { layout: 'values' } };
  if (one?.has('fingerprint')) return { chat: 'An answer with one message: fetch the list of messages instead' };
  return /"data"\s{0,20}:\s{0,20}\[\s{0,20}\]/.test(head) ? { skip: 'An answer with an empty list' } : undefined;
}
