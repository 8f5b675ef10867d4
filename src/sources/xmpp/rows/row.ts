import type { Location } from '../../../lib/text/location.ts';
import type { RowProblem } from '../../kit/entries.ts';
import { timeReader } from '../../kit/time/time-reading.ts';
import type { RowTime } from '../format.ts';
import type { XmlNode } from '../xml/xml-node.ts';

/** One stanza of an archive. */
export interface Row {
  readonly location: Location;
  /** Names the archive: each has one copy of a message. Messages that wait for a person are an archive of their own. */
  readonly archive: string;
  /** Address of the owner, or only the part before its `@`. */
  readonly owner: string | undefined;
  /** When the server stored it; undefined if that cannot be read. */
  readonly time: RowTime | undefined;
  /** The time as it is written. */
  readonly writtenTime: string | undefined;
  /** Id in the archive: in the archive of a room, that of the message in the room. */
  readonly archiveId: string | undefined;
  /** For the archive of a room: columns of ejabberd, or what Tigase writes around an archive of XEP-0227. */
  readonly room?: { readonly jid: string; readonly nick: string | undefined; readonly peer: string | undefined };
  /** The stanza, or why there is none. */
  read(): XmlNode | RowProblem;
  /** The stanza as it is written, for a quick look before it is read; undefined if it is read already. */
  readonly written: string | undefined;
}

const iso = timeReader('iso', 'UTC');

/** A time of XEP-0082, or that of XEP-0091 without marks: `20020910T23:08:25`. Both are UTC. */
export function stampTime(stamp: string | undefined): RowTime | undefined {
  if (stamp === undefined) return undefined;
  const time = iso(stamp.replace(/^(\d{4})(\d\d)(\d\d)T/, '$1-$2-$3T'));
  return time && { atMs: time.atMs, nanoseconds: time.nanoseconds };
}

const unknown = { archive: '', owner: undefined, time: undefined, writtenTime: undefined, archiveId: undefined };

/** A row that has no stanza. */
export function brokenRow(location: Location, code: string, reason: string): Row {
  return { location, ...unknown, written: '', read: () => ({ code, reason }) };
}
