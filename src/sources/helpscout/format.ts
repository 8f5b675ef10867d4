import { isoMs } from '../kit/time/time-reading.ts';

/**
 * Help Scout, as its Mailbox API 2.0 (Inbox API) answers: conversations with their threads, threads of one conversation, customers, users.
 * https://developer.helpscout.com/mailbox-api/endpoints/conversations/threads/list/ and …/conversations/list/ (2026-11).
 *
 * {"_embedded":{"threads":[{"id":11,"type":"customer","state":"published","body":"My boat leaks","createdAt":"2026-03-02T09:00:00Z",
 *  "createdBy":{"id":5,"type":"customer","first":"Ines","last":"Bruun"}}]},"_links":{"self":{"href":"…/v2/conversations/7/threads"}},
 *  "page":{"size":50,"totalElements":1,"totalPages":1,"number":1}}
 *
 * The latest thread comes first. A thread does not say of which conversation it is: the address of the answer does, which is behind the
 * list. An answer without rows has no "_embedded".
 */
export interface HelpScoutThread {
  /** Ids ascend. */
  readonly id: number;
  readonly type:
    | 'customer'
    | 'message'
    | 'reply'
    | 'chat'
    | 'beaconchat'
    | 'note'
    | 'phone'
    | 'forwardparent'
    | 'forwardchild'
    | 'lineitem';
  /** Only what is published was sent: `hidden` is left out of mails to customers. */
  readonly state: 'published' | 'draft' | 'hidden' | 'review' | 'underreview';
  /** The action, for agents: `changed-ticket-assignee`. Other threads have `default`. */
  readonly action: { readonly type: string; readonly text: string };
  /** HTML, or plain text without a tag. */
  readonly body: string | null;
  readonly source: { readonly type: string; readonly via: 'customer' | 'user' };
  /** For the type `customer`, who began the thread; for others, the customer of the conversation. */
  readonly customer: HelpScoutPerson;
  readonly createdBy: HelpScoutPerson;
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly createdAt: string;
  readonly openedAt: string;
  /** The customer's opinion of this reply. */
  readonly rating: { readonly rating: string; readonly comments: string };
  readonly _embedded: { readonly attachments: readonly HelpScoutFile[] };
}

/** Customers and users (agents) are numbered apart: 5 is two people. */
export interface HelpScoutPerson {
  readonly id: number;
  /** `system_user`, in answers of version 3, is an assistant; version 2 calls it `user`. Lists of people do not say it. */
  readonly type: 'customer' | 'user' | 'team' | 'system_user';
  readonly first: string;
  readonly last: string;
  /** In lists of people. */
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly photoUrl: string;
  readonly role: 'owner' | 'admin' | 'user';
  readonly createdAt: string;
  readonly _embedded: { readonly emails: readonly { readonly value: string }[] };
}

export interface HelpScoutFile {
  readonly id: number;
  readonly filename: string;
  readonly mimeType: string;
  readonly size: number;
  /** `data` answers JSON with the file inside, and needs a token: no browser opens it. */
  readonly _links: { readonly web: { readonly href: string }; readonly data: { readonly href: string } };
}

export interface HelpScoutConversation {
  readonly id: number;
  /** Shown to agents. */
  readonly number: number;
  /** How many it has, without line items, drafts and threads under review. */
  readonly threads: number;
  readonly status: 'active' | 'closed' | 'pending' | 'spam';
  readonly state: 'published' | 'draft' | 'deleted';
  readonly subject: string;
  readonly createdAt: string;
  readonly createdBy: HelpScoutPerson;
  readonly assignee: HelpScoutPerson | null;
  readonly primaryCustomer: HelpScoutPerson;
  readonly tags: readonly unknown[];
  readonly customFields: readonly { readonly value: unknown }[];
  /** With `embed=threads`. */
  readonly _embedded: { readonly threads: readonly HelpScoutThread[] };
}

export const msOf = isoMs;
