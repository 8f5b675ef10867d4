import { recordDigest } from '../model/record-digest.ts';
import type { MessageRecord } from '../model/records.ts';
import { siblingMuid } from './message/draft-message.ts';
import { muidOf } from './muid.ts';

/** What a message is known by. It follows from the record alone, so it can be worked out where the record is read. */
export interface Identity {
  readonly muid: string;
  /** Of the message whose thread this one answers in. */
  readonly rootMuid: string | undefined;
  /** Of the record: it changes when the source changes the message. */
  readonly digest: string;
}

export const identityOf = (record: MessageRecord): Identity => ({
  muid: muidOf(record.origin),
  rootMuid: siblingMuid(record, record.threadRoot),
  digest: recordDigest(record),
});
