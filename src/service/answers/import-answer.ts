import { readItemError } from './error-body.ts';
import type { ImportOutcome, MessageAnswer } from '../outcome.ts';
import { isObject } from '../../lib/maps/objects.ts';
import { parseAnswer } from '../answer.ts';

type Answered = Extract<ImportOutcome, { kind: 'answered' }>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads `{"data":{"<muid>":{"success":true,"data":<message>}}}`; nothing if the body has another shape.
 *
 * An answer belongs to the muid that is its key, else to the one inside it: `data.muid`, or `data.data.muid`, because the
 * documented samples of the hosted service show foreign keys and a doubled `data`. Checked by hand: every message of a
 * migration passes here.
 */
export function readImportAnswer(sentMuids: readonly string[], body: string): Answered | undefined {
  const parsed = parseAnswer(body);
  if (!isObject(parsed) || !isObject(parsed.data)) return undefined;
  const items = parsed.data;
  const answers = new Map<string, MessageAnswer>();
  let missing: string[] = [];
  for (const muid of sentMuids) {
    const answer = Object.hasOwn(items, muid) ? readItem(items[muid]) : undefined;
    if (answer) answers.set(muid, answer);
    else missing.push(muid);
  }
  const unexpectedKeyCount = matchByContent(items, new Set(sentMuids), new Set(missing), answers);
  if (missing.length > 0) missing = missing.filter((muid) => !answers.has(muid));
  return { kind: 'answered', answers, missing, unexpectedKeyCount };
}

/** Assigns items under unexpected keys to the muids inside them; returns the number of items that match no missing muid. */
function matchByContent(
  items: Fields,
  sent: ReadonlySet<string>,
  missing: Set<string>,
  answers: Map<string, MessageAnswer>,
): number {
  let unexpectedKeyCount = 0;
  for (const key in items) {
    if (sent.has(key)) continue;
    const item = items[key];
    const muid = muidInside(item);
    const answer = muid !== undefined && missing.delete(muid) ? readItem(item) : undefined;
    if (muid !== undefined && answer) answers.set(muid, answer);
    else unexpectedKeyCount++;
  }
  return unexpectedKeyCount;
}

function muidInside(item: unknown): string | undefined {
  if (!isObject(item) || !isObject(item.data)) return undefined;
  const { muid, data } = item.data;
  const found = typeof muid === 'string' ? muid : isObject(data) ? data.muid : undefined;
  return typeof found === 'string' ? found : undefined;
}

/** Nothing unless `success` says yes or no: then the message is unknown, as if it were not mentioned. */
function readItem(item: unknown): MessageAnswer | undefined {
  if (!isObject(item)) return undefined;
  if (item.success === true) return readImported(item.data);
  return item.success === false ? readRefused(item) : undefined;
}

function readImported(data: unknown): MessageAnswer {
  if (!isObject(data)) return { result: 'imported' };
  const stored = data.id === undefined && isObject(data.data) ? data.data : data;
  const { id, conversationId } = stored;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (hasId && typeof conversationId === 'string') return { result: 'imported', serverId: String(id), conversationId };
  return {
    result: 'imported',
    ...(hasId && { serverId: String(id) }),
    ...(typeof conversationId === 'string' && { conversationId }),
  };
}

function readRefused(item: Fields): MessageAnswer {
  const { code, message: detail } = readItemError(item);
  return { result: isTaken(code) ? 'already-exists' : 'refused', code, detail };
}

/** `ERR_IMPORT_MUID_ALREADY_EXISTS` and its like; not that a person or a group of the message exists. */
function isTaken(code: string): boolean {
  return code.endsWith('ALREADY_EXISTS') && !/(?:^|_)G?UID_ALREADY_EXISTS$/.test(code);
}
