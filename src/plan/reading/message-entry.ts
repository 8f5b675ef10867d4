import type { Location } from '../../lib/location.ts';
import { type Identity, identityOf } from '../../mapping/identity.ts';
import type { Entry } from '../../model/entry.ts';
import type { MessageRecord } from '../../model/records.ts';

/** A message as it was read, and what it is known by. */
export interface MessageEntry {
  readonly type: 'record';
  readonly record: MessageRecord;
  readonly location: Location;
  readonly identity: Identity;
}

type MessageRead = Extract<Entry, { type: 'record' }> & { readonly record: MessageRecord };

export const isMessage = (entry: Entry): entry is MessageRead =>
  entry.type === 'record' && entry.record.kind === 'message';

/** Worked out where the message is read, and not where it is mapped: the thread that maps has more to do. */
export const identified = ({ record, location }: MessageRead): MessageEntry => ({
  type: 'record',
  record,
  location,
  identity: identityOf(record),
});
