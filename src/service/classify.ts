/**
 * Meaning of answers and faults: the only place that looks at status codes.
 *
 * An import is *answered* key by key, *not applied*, or *unknown*. Not applied follows from an answer about the whole
 * request; it is certain only if nothing left Chatferry, or access was denied. Everything that is not understood is
 * unknown: a message that is read back without result costs a request, one that is wrongly sent again stays twice.
 * Faults of the network are judged by whether a byte can have left; answers by whether the service itself rejected the
 * whole request.
 */
import { judgeAnswer, type JudgedAnswer, judgeFault } from './answers/judge.ts';
import { isPersonal, isPresent, type ItemAnswer } from './answers/item-answer.ts';
import {
  type ActionOutcome,
  type ChangeOutcome,
  type ImportOutcome,
  type NotDone,
  type PeopleOutcome,
  type ReadOutcome,
  type MessageAnswer,
  parseAnswer,
} from './outcome.ts';
import type { TransportAnswer } from './transport.ts';
import { readItemError } from './answers/error-body.ts';
import { isObject } from '../lib/maps/objects.ts';

/** @param sentMuids the muids of the request, each once. */
export function classifyImport(sentMuids: readonly string[], answer: TransportAnswer, nowMs: number): ImportOutcome {
  const answered = isSuccess(answer) ? readImportAnswer(sentMuids, answer.body) : undefined;
  return answered ?? notDone(judgeAnswer(answer, nowMs));
}

/** @param isDone whether a successful answer's JSON says that it was done. */
export function classifyChange(
  answer: TransportAnswer,
  isDone: (json: unknown) => boolean,
  nowMs: number,
): ChangeOutcome {
  if (isSuccess(answer) && isDone(parseAnswer(answer.body))) return { kind: 'applied' };
  return notDone(judgeAnswer(answer, nowMs));
}

/** @param read what a successful answer's JSON names; nothing if it has another shape. */
export function classifyPeople(
  answer: TransportAnswer,
  read: (json: unknown) => readonly string[] | undefined,
  nowMs: number,
): PeopleOutcome {
  const uids = isSuccess(answer) ? read(parseAnswer(answer.body)) : undefined;
  if (uids) return { kind: 'answered', uids: new Set(uids.map((uid) => uid.toLowerCase())) };
  return notDone(judgeAnswer(answer, nowMs));
}

function notDone({ meaning, byService, isSure, ...failure }: JudgedAnswer): NotDone {
  if (meaning === 'unclear') return { kind: 'unknown', byService, ...failure };
  return { kind: 'not-applied', why: meaning, isSure, ...failure };
}

/** @param read what a successful answer's JSON says of the one action; nothing if it does not say. */
export function classifyAction(
  answer: TransportAnswer,
  read: (json: unknown) => ItemAnswer | undefined,
  nowMs: number,
): ActionOutcome {
  const item = isSuccess(answer) ? read(parseAnswer(answer.body)) : undefined;
  if (item?.success) return { kind: 'applied' };
  if (item) {
    const { code = 'refused', message: detail } = item;
    return { kind: isPresent(item) ? 'existing' : 'failed', code, detail };
  }
  const { meaning, byService, isSure: _, ...failure } = judgeAnswer(answer, nowMs);
  if (byService && isPresent({ code: failure.code, message: '' })) return { kind: 'existing', ...failure };
  if (meaning === 'rejected' || meaning === 'too-large' || (byService && isPersonal(failure)))
    return { kind: 'failed', ...failure };
  if (meaning === 'unclear') return { kind: 'unknown', byService, ...failure };
  return { kind: 'not-applied', why: meaning, ...failure };
}

/** Classifies a fault of an import, a change or an action. @throws the fault if it is a mistake of this program. */
export function classifyFault(fault: unknown): NotDone<'unreachable' | 'stop'> {
  const { meaning, ...failure } = judgeFault(fault);
  if (meaning === 'unknown') return { kind: 'unknown', byService: false, ...failure };
  return { kind: 'not-applied', why: meaning === 'unsent' ? 'unreachable' : 'stop', isSure: true, ...failure };
}

/** @param parse gives the value of a successful answer's JSON, or nothing if it has not the expected shape. */
export function classifyRead<T>(
  answer: TransportAnswer,
  parse: (json: unknown) => T | undefined,
  nowMs: number,
): ReadOutcome<T> {
  const value = isSuccess(answer) ? parse(parseAnswer(answer.body)) : undefined;
  if (value !== undefined) return { kind: 'answered', value };
  const { meaning, byService: _, isSure: __, ...failure } = judgeAnswer(answer, nowMs);
  return { kind: 'failed', why: whyRead(meaning, failure), ...failure };
}

/** @throws the fault if it is a mistake of this program. */
export function classifyReadFault<T>(fault: unknown): ReadOutcome<T> {
  const { meaning, ...failure } = judgeFault(fault);
  const isTooLong = failure.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
  return { kind: 'failed', why: isTooLong ? 'too-long' : meaning === 'unverified' ? 'stop' : 'retry', ...failure };
}

const isSuccess = ({ status }: TransportAnswer): boolean => status >= 200 && status < 300;

/** Returns why a read failed. A read that was rejected would be rejected again if it is unchanged. */
function whyRead(
  meaning: JudgedAnswer['meaning'],
  { status, code }: { readonly status: number; readonly code: string },
): Extract<ReadOutcome<never>, { kind: 'failed' }>['why'] {
  if (meaning === 'rate-limited' || meaning === 'stop') return meaning;
  if (meaning === 'rejected' && (status === 404 || code.endsWith('_NOT_FOUND'))) return 'not-found';
  const isPassing = status < 300 || status >= 500 || status === 408 || status === 425;
  return isPassing ? 'retry' : 'stop';
}

type Answered = Extract<ImportOutcome, { kind: 'answered' }>;
type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads `{"data":{"<muid>":{"success":true,"data":<message>}}}`; nothing if the body has another shape.
 *
 * An answer belongs to the muid that is its key, else to the one inside it: `data.muid`, or `data.data.muid`, because the
 * documented samples of the hosted service show foreign keys and a doubled `data`. Checked by hand: every message of a
 * migration passes here.
 */
function readImportAnswer(sentMuids: readonly string[], body: string): Answered | undefined {
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
const isTaken = (code: string): boolean =>
  code.endsWith('ALREADY_EXISTS') && !/(?:^|_)G?UID_ALREADY_EXISTS$/.test(code);
