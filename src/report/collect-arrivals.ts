import { type ArrivalKind, arrivalKinds, leftOutByMapping, type ReadArrivals } from '../model/arrival.ts';
import type { Profile } from '../service/profiles.ts';
import type { ArrivalCount } from '../store/arrivals.ts';
import type { Store } from '../store/open.ts';
import type { ArrivalsData } from './report-data.ts';
import { nowhere } from './collect/after-messages.ts';
import { explain } from './collect/explanations.ts';

export interface ArrivalFigures {
  readonly data: ArrivalsData;
  /** Still to be imported; each kind has requests of its own. */
  readonly left: readonly { readonly count: number; readonly bytes: number }[];
  /** Groups with members that are still to be imported. */
  readonly groupsLeft: number;
  /** People and memberships that do not arrive although their conversations do. */
  readonly lost: { readonly people: number; readonly members: number };
}

/** @returns Nothing where a destination has no operations that import people. */
export function collectArrivals(
  store: Store,
  destination: number | null,
  profile: Pick<Profile, 'people'> | undefined,
): ArrivalFigures | undefined {
  if (profile?.people !== 'import') return undefined;
  const staged = JSON.parse(store.facts.read('arrivals') ?? '{}') as Partial<Record<ArrivalKind, ReadArrivals>>;
  const counts = store.arrivals.count(destination ?? nowhere);
  const listed = (what: 'skipped' | 'invalid') =>
    arrivalKinds.flatMap((kind) =>
      Object.entries(staged[kind]?.[what] ?? {}).map(([reason, count]) => ({ kind, reason, count })),
    );
  const [skipped, invalid] = [listed('skipped'), listed('invalid')];
  const kinds = Object.fromEntries(
    arrivalKinds.flatMap((kind) => {
      const { leftBytes: _, kind: __, ...count } = counts.find((one) => one.kind === kind) ?? noCount(kind);
      const read = staged[kind]?.read ?? 0;
      const of = (list: typeof skipped) => list.reduce((sum, one) => sum + (one.kind === kind ? one.count : 0), 0);
      return read + count.withdrawn === 0
        ? []
        : [[kind, { read, skipped: of(skipped), invalid: of(invalid), ...count }]];
    }),
  ) as ArrivalsData['kinds'];
  const { people, members } = kinds;
  return {
    data: {
      kinds,
      skipped,
      invalid,
      failed: store.arrivals.refused(destination ?? nowhere).map((group) => ({
        ...group,
        explanation: group.code === 'ERR_UID_NOT_FOUND' ? whyNotKnown : explain(group.code).explanation,
      })),
    },
    left: counts.map(({ pending, unconfirmed, leftBytes }) => ({ count: pending + unconfirmed, bytes: leftBytes })),
    groupsLeft: counts.length === 0 ? 0 : store.arrivals.countGroupsToFill(destination ?? nowhere),
    lost: {
      people: (people?.skipped ?? 0) + (people?.failed ?? 0),
      members: (staged.members?.skipped[leftOutByMapping] ?? 0) + (members?.invalid ?? 0) + (members?.failed ?? 0),
    },
  };
}

/** Who existed before is left as they are, deactivated too. */
const whyNotKnown =
  'The person has not arrived, or existed and is deactivated: by an earlier import, an undo, or at the service. Activate them there, then retry.';

const noCount = (kind: ArrivalKind): ArrivalCount => ({
  kind,
  planned: 0,
  imported: 0,
  existing: 0,
  failed: 0,
  pending: 0,
  unconfirmed: 0,
  withdrawn: 0,
  changed: 0,
  leaving: 0,
  staying: 0,
  left: 0,
  assumed: 0,
  leftBytes: 0,
});
