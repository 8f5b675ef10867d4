import { asArray, asObject, asString, type Untrusted } from '../kit/narrow.ts';

/**
 * Events of Matrix, as clients and servers save them.
 *
 * https://spec.matrix.org/latest/client-server-api/ (events, `/messages`, `/sync`, relations),
 * https://spec.matrix.org/latest/rooms/ (ids of events by version of the room); "Export chat" of
 * https://github.com/element-hq/element-web, `src/utils/exportUtils`; `export-data` of
 * https://github.com/element-hq/synapse, `synapse/app/admin_cmd.py` (all 2026-11).
 *
 * Undocumented: exports of Element have no rows for edits and may show the text before or after one; events of `/sync`
 * do not name their room; Synapse writes events as servers send them to each other, without ids from room version 3 on,
 * one after another in files without an extension. A server that has an edit may have replaced the text already;
 * `unsigned` shows that.
 *
 * {"type":"m.room.message","event_id":"$a","room_id":"!r:example.com","sender":"@ann:example.com","origin_server_ts":1772442000123,"content":{"msgtype":"m.text","body":"Hi"}}
 */
export interface MatrixEvent {
  readonly type: string;
  readonly event_id: string;
  readonly room_id: string;
  readonly sender: string;
  /** Milliseconds, by the clock of the sender's server. */
  readonly origin_server_ts: number;
  /** For state: its subject, a person or nothing. */
  readonly state_key: string;
  readonly content: MatrixContent;
  readonly prev_content: MatrixContent;
  /** For a redaction; from room version 11 on in `content`. */
  readonly redacts: string;
  readonly unsigned: {
    readonly prev_content: MatrixContent;
    readonly redacted_because: MatrixEvent;
    readonly redacted_by: string;
    readonly 'm.relations': Readonly<Record<string, unknown>>;
  };
  /** For events between servers. */
  readonly hashes: object;
  readonly auth_events: readonly unknown[];
}

/** Fields that any event may have; its type decides which. */
export interface MatrixContent {
  readonly [key: string]: unknown;
  readonly 'm.relates_to': MatrixRelation;
  readonly 'm.new_content': MatrixContent;
  readonly msgtype: string;
  readonly body: string;
  readonly format: string;
  readonly formatted_body: string;
}

interface MatrixRelation {
  readonly rel_type: string;
  readonly event_id: string;
  /** For reactions: the emoji. */
  readonly key: string;
  readonly is_falling_back: boolean;
  readonly 'm.in_reply_to': { readonly event_id: string };
}

export type Event = Untrusted<MatrixEvent>;
export type Content = Untrusted<MatrixContent>;

const nothing: Content = {};

export const contentOf = (event: Event): Content => asObject<MatrixContent>(event.content) ?? nothing;

export const relationOf = (content: Content): Untrusted<MatrixRelation> =>
  asObject<MatrixRelation>(content['m.relates_to']) ?? {};

export const unsignedOf = (event: Event): Untrusted<MatrixEvent['unsigned']> =>
  asObject<MatrixEvent['unsigned']>(event.unsigned) ?? {};

/** Returns the state before this event. */
export const previousOf = (event: Event): Content =>
  asObject<MatrixContent>(unsignedOf(event).prev_content) ?? asObject<MatrixContent>(event.prev_content) ?? nothing;

/** Milliseconds, in the years that a date can say. */
export const eventTime = ({ origin_server_ts: time }: Event): number | undefined =>
  typeof time === 'number' && Number.isSafeInteger(time) && time >= 0 && time <= 8.64e15 ? time : undefined;

/** `ann` of `@ann:example.com`. */
export const localPart = (id: string): string => /^@([^:]{1,255})/.exec(id)?.[1] ?? id;

/** Whether a server has emptied it. */
export function isRedacted(event: Event): boolean {
  const { redacted_because, redacted_by } = unsignedOf(event);
  return asObject(redacted_because) !== undefined || asString(redacted_by) !== undefined;
}

/** Returns the event that was redacted. */
export const redactedBy = (event: Event): string | undefined =>
  asString(event.redacts) ?? asString(contentOf(event).redacts);

/** The value under the first of these keys: names of before something was in the specification. */
export const firstPresent = (content: Content, ...keys: readonly string[]): unknown =>
  keys.map((key) => content[key]).find((value) => value !== undefined && value !== null);

/** Texts of an extensible event: `{"m.text": [{"body": …}]}`, `{"org.matrix.msc1767.text": "…"}`, or the text itself. */
export function readPlainText(value: unknown): string | undefined {
  const text = asString(value);
  const content = asObject<MatrixContent>(value);
  if (text !== undefined || content === undefined) return text;
  const found = firstPresent(content, 'm.text', 'org.matrix.msc1767.text', 'body');
  return asString(found) ?? asString(asObject<MatrixContent>(asArray(found)[0])?.body);
}
