import type { NewMessage } from '../../model/new-message.ts';
import { asArray, asObject, asString, asWord, wordFor } from '../kit/narrow.ts';
import { pollText } from '../kit/text/poll-text.ts';
import type { ChatCalendarEvent, ChatGsuite, ChatTask } from './format.ts';

/** Content of an annotation that the app shows as a card of its own. */
export interface ShownContent {
  /** Text that the app shows for it, for a message without text. */
  readonly text: string;
  readonly call?: NewMessage['call'];
}

/**
 * A call, an event of a calendar, a task or a poll as the app shows it.
 *
 *     {"gsuite_integration_metadata":{"calendar_event_data":{"calendar_event":{"title":"Launch","start_time":{"timed":"2026-01-06T10:00:00Z"}}}}}
 *
 * @returns undefined for anything else.
 */
export function shownContent(
  annotation: Readonly<Record<string, unknown>>,
  sentAtMs: number,
): ShownContent | undefined {
  const gsuite = asObject<ChatGsuite>(annotation.gsuite_integration_metadata);
  const call = asObject<{ call_status: string }>(gsuite?.call_data);
  if (call) return callContent(asString(call.call_status), sentAtMs);
  const event = asObject<{ calendar_event: ChatCalendarEvent }>(gsuite?.calendar_event_data);
  if (event) return eventContent(asObject<ChatCalendarEvent>(event.calendar_event) ?? {});
  const task = asObject<{ task_properties: ChatTask }>(gsuite?.tasks_data);
  if (task) return taskContent(asObject<ChatTask>(task.task_properties) ?? {});
  const poll = Object.entries(annotation).find(([key]) => /(?:^|_)poll(?:_|$)/.test(key))?.[1];
  return pollContent(asObject<Record<string, unknown>>(poll));
}

function callContent(status: string | undefined, sentAtMs: number): ShownContent {
  const hasEnded = status !== undefined && /END|MISS|DECLIN|FAIL/.test(status);
  const words = (status ?? 'CALL').replaceAll('_', ' ').toLowerCase();
  return {
    text: words.charAt(0).toUpperCase() + words.slice(1),
    call: hasEnded ? { endedAtMs: sentAtMs } : { startedAtMs: sentAtMs },
  };
}

function eventContent(event: Readonly<Record<string, unknown>>): ShownContent {
  const times = [event.start_time, event.end_time].flatMap((time) => timeText(time) ?? []);
  return joined(['Event', asString(event.title)], [times.join(' to '), asString(event.location)]);
}

/** `{"timed":"2026-01-06T10:00:00Z"}`, or a day. */
function timeText(value: unknown): string | undefined {
  const [time] = Object.values(asObject<Record<string, unknown>>(value) ?? {});
  const day = asObject<Record<string, unknown>>(time);
  return asString(time) ?? (day && ['year', 'month', 'day'].map((part) => asWord(day[part])).join('-'));
}

const taskContent = (task: Readonly<Record<string, unknown>>): ShownContent =>
  joined(['Task', asString(task.title)], [asString(task.description)]);

function joined(head: readonly (string | undefined)[], lines: readonly (string | undefined)[]): ShownContent {
  const first = head.filter((part) => part !== undefined).join(': ');
  return { text: [first, ...lines].filter(Boolean).join('\n') };
}

function pollContent(poll: Readonly<Record<string, unknown>> | undefined): ShownContent | undefined {
  const question = asString(poll?.question) ?? asString(poll?.title);
  const options = asArray(poll?.options ?? poll?.choices ?? poll?.answers);
  if (question === undefined || options.length === 0) return undefined;
  const texts = options.map((option) => {
    const fields = asObject<Record<string, unknown>>(option);
    return { text: fields ? (fields.text ?? fields.title ?? fields.label) : option, votes: undefined };
  });
  return texts.every(({ text }) => wordFor(text) === 'a string')
    ? { text: pollText({ question, options: texts }) }
    : undefined;
}
