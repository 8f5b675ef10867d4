/**
 * Messages of Microsoft Teams, in three kinds of exports (checked on 2026-11-22):
 *
 * - Graph: `chatMessage` of https://learn.microsoft.com/graph/api/resources/chatmessage, saved response by response: a
 *   page (`{ value: […] }`), a list of pages, a list, one object, or one on each line. Keys begin in lower case.
 * - Tenant: the same objects in folders, `teams/<id>/messages_<id>.json` and `users/<id>/messages_<id>.json`, with keys
 *   that begin in upper case and every `null` written. Rows are in no order. A chat occurs under each of its people. The
 *   content of a system event is lost: all its details are `null`.
 * - Personal: `messages.json` of Teams Free and Skype, https://go.skype.com/export.
 *
 * Ids of messages are milliseconds. They are unique inside a chat. In a channel, they are unique for messages that
 * begin a thread; for replies, they are unique inside the thread. One mention of a person may be split into one `<at>`
 * for each word.
 */
export interface TeamsMessage {
  readonly id: string;
  readonly replyToId: string | null;
  readonly messageType: string;
  readonly createdDateTime: string;
  /** Every change moves it: an edit, a reaction, a deletion. */
  readonly lastModifiedDateTime: string | null;
  readonly lastEditedDateTime: string | null;
  readonly deletedDateTime: string | null;
  readonly subject: string | null;
  readonly summary: string | null;
  readonly importance: string;
  readonly chatId: string | null;
  readonly channelIdentity: { readonly teamId: string; readonly channelId: string } | null;
  readonly from: unknown;
  readonly body: { readonly contentType: string; readonly content: string };
  readonly attachments: unknown;
  readonly mentions: unknown;
  readonly reactions: unknown;
  readonly eventDetail: unknown;
  readonly policyViolation: unknown;
  /** Answers, where Graph was asked for them with `$expand=replies`; those that did not fit are behind an address. */
  readonly replies: unknown;
  readonly 'replies@odata.nextLink': unknown;
  readonly 'replies@odata.count': unknown;
  /** Messages inside a chat or channel that is saved together with them. */
  readonly messages: unknown;
  readonly 'messages@odata.nextLink': unknown;
  readonly 'messages@odata.count': unknown;
}

/**
 * Fields of an object, whichever way its keys begin: all are asked for in lower case. PowerShell puts what its classes do not name into
 * `AdditionalProperties`.
 */
export class Fields<Shape = Readonly<Record<string, unknown>>> {
  readonly #object: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.#object =
      typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  }

  get(name: keyof Shape & string): unknown {
    const value = this.#object[name] ?? this.#object[upper(name)];
    if (value !== undefined && value !== null) return value;
    const more = this.#object.AdditionalProperties;
    return typeof more === 'object' && more !== null
      ? ((more as Record<string, unknown>)[name] ?? undefined)
      : undefined;
  }

  in(name: keyof Shape & string): Fields {
    return new Fields(this.get(name));
  }

  keys(): string[] {
    return Object.keys(this.#object);
  }
}

const uppers = new Map<string, string>();

function upper(name: string): string {
  const known = uppers.get(name);
  if (known !== undefined) return known;
  const made = name.slice(0, 1).toUpperCase() + name.slice(1);
  if (uppers.size < 200) uppers.set(name, made);
  return made;
}

/** A row of `messages.json` of Teams Free and Skype. An edited message occurs again, with the time of its edit. */
export interface PersonalMessage {
  readonly id: string;
  readonly displayName: string | null;
  readonly originalarrivaltime: string;
  readonly messagetype: string;
  readonly content: string;
  readonly conversationid: string;
  /** `8:name`; of system events the conversation. */
  readonly from: string;
  readonly properties: unknown;
  readonly amsreferences: unknown;
}
