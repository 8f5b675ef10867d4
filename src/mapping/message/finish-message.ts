import { blockingChecks } from '../checks/blocking.ts';
import { dataWithin } from './data-json.ts';
import type { Draft } from './draft-message.ts';
import type { Facts } from './facts.ts';
import type { MessageContext } from './message-context.ts';
import { shortened } from './too-long.ts';

/** What became of a draft. `payload` is JSON: everything of the request's item that does not depend on the destination. */
export type Finished = Planned | Skipped | Rejected;

export interface Skipped {
  readonly verdict: 'skipped';
  /** The rule by which the message is left out, as reports name it. */
  readonly reason: string;
}

export interface Rejected {
  readonly verdict: 'rejected';
  readonly reason: string;
  readonly detail: string;
}

interface Planned {
  readonly verdict: 'planned';
  readonly payload: string;
  /** Payloads of part 2, 3 … of a text that was split. */
  readonly more?: readonly string[] | undefined;
  /** What the mapping did, for the report. */
  readonly done?: Facts | undefined;
}

/** Asks the checks, and fits a text that is too long into the limits where the rules want that. */
export function finishMessage(draft: Draft, sentAtMs: number, context: MessageContext): Finished {
  if (context.rules.messages.empty === 'skip' && isEmpty(draft)) return { verdict: 'skipped', reason: 'empty message' };
  const whole = checked(draft, sentAtMs, context);
  const isTooLarge = whole.verdict === 'rejected' && whole.reason === 'data-too-large';
  if (whole.verdict === 'rejected' && !isTooLarge) return whole;
  const { overlong, textCharsMax } = context.rules.messages;
  const isTooLong = textCharsMax !== 'none' && draft.text.length > textCharsMax;
  if (!isTooLarge && !isTooLong) return whole;
  const parts = overlong === 'reject' ? undefined : shortened(draft, context);
  if (parts) return inParts(parts, sentAtMs, context);
  if (isTooLarge) return whole;
  const detail = `${draft.text.length} characters, ${textCharsMax} allowed`;
  return { verdict: 'rejected', reason: 'text-too-long', detail };
}

const isEmpty = ({ attachments, text, category }: Draft) =>
  attachments.length === 0 && text.trim() === '' && category === 'message';

function inParts(parts: readonly Draft[], sentAtMs: number, context: MessageContext): Finished {
  const payloads: string[] = [];
  let done: Facts | undefined;
  for (const part of parts) {
    const finished = checked(part, sentAtMs, context);
    if (finished.verdict === 'rejected') return finished;
    done ??= finished.done;
    payloads.push(finished.payload);
  }
  const [payload, ...more] = payloads;
  return { verdict: 'planned', payload: payload!, done, ...(more.length > 0 && { more }) };
}

function checked(draft: Draft, sentAtMs: number, { limits, nowMs }: MessageContext): Planned | Rejected {
  const { text, attachments, category, type, tags, done } = draft;
  const { data, isTrimmed } = dataWithin(draft, limits.dataBytesMax);
  const message = {
    // A message of one's own kind may have no text at all.
    text: category === 'custom' ? text || type : text,
    attachmentCount: attachments.length,
    data,
    tags,
    sentAtMs,
    limits,
    nowMs,
  };
  for (const check of blockingChecks) {
    const detail = check.find(message);
    if (detail !== undefined) return { verdict: 'rejected', reason: check.code, detail };
  }
  const tagsPart = tags.length > 0 ? `,"tags":${JSON.stringify(tags)}` : '';
  const typePart = type === 'text' ? '"text"' : JSON.stringify(type);
  return {
    verdict: 'planned',
    payload: `{"category":"${category}","type":${typePart},"data":${data}${tagsPart}}`,
    done: isTrimmed ? { ...done, trimmed: 1 } : done,
  };
}
