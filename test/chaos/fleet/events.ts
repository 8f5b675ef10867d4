/** Number of each event in the life of a fleet. */
export interface FleetEvents {
  /** A worker with the processes of its leases is killed, and its disk wiped; another begins. */
  readonly kills: number;
  /** A worker is stopped for longer than its heartbeat, and continued. */
  readonly stops: number;
  /** PostgreSQL dies, and begins again. */
  readonly crashes: number;
  /** PostgreSQL is put back to what it was some events ago. */
  readonly restores: number;
  /** Half of the newest copy of a unit that is being sent is gone. */
  readonly damages: number;
}

export type FleetEvent = 'kill' | 'stop' | 'crash' | 'copy' | 'restore' | 'damage';

/** Between the copy of a database and its return. */
const eventsBetween = 4;

/** In the order in which they happen: mixed, the returns of the database evenly spread. */
export function eventsOf(
  { kills, stops, crashes, restores, damages }: FleetEvents,
  random: () => number,
): readonly FleetEvent[] {
  const events: FleetEvent[] = [
    ...Array.from({ length: kills }, () => 'kill' as const),
    ...Array.from({ length: stops }, () => 'stop' as const),
    ...Array.from({ length: crashes }, () => 'crash' as const),
    ...Array.from({ length: damages }, () => 'damage' as const),
  ];
  for (let index = events.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [events[index], events[other]] = [events[other]!, events[index]!];
  }
  const apart = Math.floor(events.length / (restores + 1));
  for (let restore = restores; restore > 0; restore--) {
    events.splice(Math.min(restore * apart + eventsBetween, events.length), 0, 'restore');
    events.splice(restore * apart, 0, 'copy');
  }
  return events;
}
