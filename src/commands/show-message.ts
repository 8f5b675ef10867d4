import { laneOfMessage } from '../checkpoint/delivery/pending-lanes.ts';
import { messageVerdict } from '../checkpoint/reports/explain-message.ts';
import { peopleReader } from '../checkpoint/staging/people.ts';
import { openStoreToRead, type Store } from '../checkpoint/base/store.ts';
import { UsageError } from '../lib/errors.ts';
import { oneLine } from '../lib/plain-text.ts';
import type { Profile } from '../service/profiles.ts';
import { batchOf } from '../upload/lanes/batches.ts';
import { laneRowsReader } from '../upload/lanes/lane-rows.ts';
import { laneOf } from '../upload/lanes/lanes.ts';
import { knownDestination, profileNamed, profileOf, type TargetOptions } from '../upload/target.ts';

/** One message as import sends it. */
export interface ShownMessage {
  readonly muid: string;
  /** As a person would say it. */
  readonly destination: string;
  /** One, or several where the text was split. */
  readonly parts: readonly ShownPart[];
}

export interface ShownPart {
  readonly muid: string;
  /** The body of an import request for this message alone, byte for byte, with `--details never` and with `--details always`. */
  readonly never: string;
  readonly always: string;
  /** What the two differ by: `senderUserDetails`, and those of the receiver. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** Before anything was sent there: no row of the store is of this destination. */
const nowhere = -1;

/**
 * Shows what an import would send, or has sent, for a message: put together by the code that import uses.
 *
 * @throws UsageError where the store has no message with this muid, or it is not sent; StoreError
 */
export function showMessage(muid: string, request: TargetOptions & { readonly store: string }): ShownMessage {
  const store = openStoreToRead(request.store);
  try {
    return shownMessage(store, muid, request);
  } finally {
    store.close();
  }
}

function shownMessage(store: Store, muid: string, request: TargetOptions): ShownMessage {
  const known = knownDestination(store, request);
  const profile = profileOf({
    ...request,
    profile: request.profile ?? profileNamed(known?.profile),
  });
  const muids = muidsOf(store, muid);
  return {
    muid,
    destination: known?.name ?? request.appId ?? request.to,
    parts: muids.map((part) => shownPart(store, part, known?.id ?? nowhere, profile)),
  };
}

function muidsOf({ db, path }: Store, muid: string): readonly string[] {
  const found = messageVerdict(db, muid);
  if (!found) {
    throw new UsageError(`Cannot show "${oneLine(muid)}": the store "${path}" has no message with this muid`, {
      hint: 'Pass a muid from a report; "chatferry explain ID" finds messages by their id at the source',
    });
  }
  if (found.verdict === 'planned') return found.muids;
  throw new UsageError(`Cannot show "${muid}": it is not sent, but ${found.verdict}: ${oneLine(found.reason ?? '')}`, {
    hint: `Run "chatferry explain ${muid}"`,
  });
}

function shownPart(store: Store, muid: string, destination: number, profile: Profile): ShownPart {
  const lane = laneOf(laneOfMessage(store.db, destination, muid)!, peopleReader(store.db), undefined);
  const body = (details: 'always' | 'never') => {
    const reader = laneRowsReader(store, { ...profile, destination, details, knownPeople: new Set() });
    return batchOf([reader.byMuid(lane, muid)!.row]).body.toString();
  };
  const [never, always] = [body('never'), body('always')];
  return { muid, never, always, details: difference(never, always) };
}

/** Details stand at the end of a message. */
function difference(never: string, always: string): ShownPart['details'] {
  const end = '}}}'.length;
  const added = always.slice(never.length - end, -end);
  return JSON.parse(`{${added.slice(1)}}`) as ShownPart['details'];
}
