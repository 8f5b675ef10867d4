import { isoMs } from '../kit/time/time-reading.ts';

/**
 * Saved answers of Gorgias' REST API: `{"data":[…],"meta":{"prev_cursor":null,"next_cursor":null},"object":"list","uri":"…"}`.
 *
 * developers.gorgias.com/reference/the-ticketmessage-object, …/the-ticket-object, …/the-user-object, …/the-customer-object,
 * …/the-satisfactionsurvey-object and …/create-ticket-message (looked at 2026-11). "Observed": not documented there, but in answers that others published.
 *
 * {"id":924712,"ticket_id":12,"public":true,"channel":"email","via":"email","from_agent":false,"sender":{"id":8,"name":"Ines"},"rule_id":null,
 *  "body_text":"Hi","body_html":"<div>Hi</div>","created_datetime":"2026-03-02T09:00:00.468912+00:00","sent_datetime":"2026-03-02T09:00:00+00:00"}
 */
export interface GorgiasMessage {
  /** Ascending in the order of creation: observed. */
  readonly id: number;
  readonly ticket_id: number;
  /** False for internal notes. */
  readonly public: boolean;
  /** `email`, `chat`, `sms`, `internal-note`, … */
  readonly channel: string;
  /** Written by the company; else by the customer. */
  readonly from_agent: boolean;
  readonly sender: GorgiasPerson | null;
  readonly receiver: GorgiasPerson | null;
  readonly source: GorgiasSource | null;
  /** The rule that sent it. */
  readonly rule_id: number | null;
  readonly subject: string | null;
  /** `stripped_html` is the same without signature and quoted mails. */
  readonly body_html: string | null;
  readonly body_text: string | null;
  readonly attachments: readonly GorgiasFile[] | null;
  /** Agents whom a note mentions. */
  readonly mention_ids: readonly number[];
  readonly meta: unknown;
  readonly created_datetime: string;
  /** Filled in once it was sent; imported messages have their own time here, and that of the import in `created_datetime`. */
  readonly sent_datetime: string | null;
  /** The last attempt to send it failed. It can be sent again. */
  readonly failed_datetime: string | null;
  /** Observed. */
  readonly deleted_datetime: string | null;
}

/** Lists have addresses like `from`. */
export interface GorgiasSource extends Readonly<Record<'to' | 'cc' | 'bcc', unknown>> {
  readonly type: string;
  readonly from: { readonly name: string; readonly address: string };
}

export interface GorgiasFile {
  readonly url: string;
  readonly name: string;
  readonly size: number;
  readonly content_type: string;
}

/** An agent ("user") or a customer. No page says that both are numbered together. */
export interface GorgiasPerson {
  readonly id: number;
  readonly external_id: string | null;
  readonly name: string | null;
  readonly firstname: string | null;
  readonly lastname: string | null;
  readonly email: string | null;
  /** Agents alone. */
  readonly role: { readonly name: string };
  /** False for agents who cannot log in any more. */
  readonly active: boolean;
  readonly meta: { readonly profile_picture_url: string; readonly avatar_url: string } | null;
  readonly created_datetime: string;
}

export interface GorgiasTicket {
  readonly id: number;
  readonly subject: string | null;
  readonly status: string;
  readonly channel: string;
  readonly customer: GorgiasPerson | null;
  readonly assignee_user: GorgiasPerson | null;
  readonly created_datetime: string;
  /** When it was moved to the trash. */
  readonly trashed_datetime: string | null;
}

export type GorgiasKind = 'agents' | 'customers' | 'tickets' | 'surveys';

/** Kind of a row by its keys. */
export function recogniseGorgias(has: (key: string) => boolean): GorgiasKind | 'messages' | undefined {
  if (has('ticket_id')) return has('from_agent') ? 'messages' : has('scored_datetime') ? 'surveys' : undefined;
  if (has('assignee_user') && has('customer')) return 'tickets';
  if (!has('firstname') || !has('lastname')) return undefined;
  return has('role') ? 'agents' : 'customers';
}

/** Only examples of the documentation have no offset: real times end in `+00:00`. */
export const msOf = isoMs;
