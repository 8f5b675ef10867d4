import { readStore, openStoreToRead, type Store } from '../../store/open.ts';
import { UsageError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/text/plain-text.ts';
import type { Profile } from '../../service/profiles.ts';
import { batchOf } from '../../delivery/destination.ts';
import { laneRowsReader, laneOf } from '../../delivery/lanes.ts';
import { recordsAt } from '../../rows/read-again.ts';
import { knownDestination, profileNamed, profileOf, type TargetOptions } from '../../delivery/target.ts';
import type { ExplainedMessage, ShownMessage, ShownPart } from '../results.ts';

export async function explainId(storePath: string, id: string, signal: AbortSignal): Promise<ExplainedMessage[]> {
  const store = openStoreToRead(storePath);
  try {
    const stories = store.totals.explain(id);
    const readable = stories.filter(({ muid, follows }) => muid !== null && follows === null);
    const records = await recordsAt(store, readable, { exports: [], signal });
    return stories.map((story) => ({ ...story, record: records.get(story) ?? null }));
  } finally {
    store.close();
  }
}

/** Before anything was sent there: no row of the store is of this destination. */
const nowhere = -1;

export const showMessage = (muid: string, request: TargetOptions & { readonly store: string }): ShownMessage =>
  readStore(request.store, (store) => shownMessage(store, muid, request));

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

function muidsOf(store: Store, muid: string): readonly string[] {
  const found = store.totals.verdict(muid);
  if (!found) {
    throw new UsageError(`Cannot show "${oneLine(muid)}": the store "${store.path}" has no message with this muid`, {
      hint: 'Pass a muid from a report; "chatferry explain ID" finds messages by their id at the source',
    });
  }
  if (found.verdict === 'planned') return found.muids;
  throw new UsageError(`Cannot show "${muid}": it is not sent, but ${found.verdict}: ${oneLine(found.reason ?? '')}`, {
    hint: `Run "chatferry explain ${muid}"`,
  });
}

function shownPart(store: Store, muid: string, destination: number, profile: Profile): ShownPart {
  const lane = laneOf(store.lanes.ofMessage(destination, muid)!, store.people);
  const body = (sendProfiles: 'always' | 'never') => {
    const reader = laneRowsReader(store, { ...profile, destination, sendProfiles, knownPeople: new Set() });
    return batchOf([reader.byMuid(lane, muid)!.row]).body.toString();
  };
  const [never, always] = [body('never'), body('always')];
  return { muid, never, always, details: difference(never, always) };
}

/** Details are at the end of a message. */
function difference(never: string, always: string): ShownPart['details'] {
  const end = '}}}'.length;
  const added = always.slice(never.length - end, -end);
  return JSON.parse(`{${added.slice(1)}}`) as ShownPart['details'];
}
