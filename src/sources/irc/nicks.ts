import { fold } from './logs.ts';

/** Location of a line, in an order over all files. */
export interface Place {
  /** As `LogLines` says. */
  readonly orderMs: number;
  /** Number of the file, and of the line in it. */
  readonly file: number;
  readonly line: number;
}

interface Change {
  readonly from: string;
  readonly to: string;
  readonly place: Place;
}

/** From a place on, a nick is this person's. */
interface Taking {
  readonly place: Place;
  readonly id: string;
  readonly name: string;
}

interface Network {
  /** Where each nick was used for the first time. */
  readonly uses: Map<string, Place>;
  readonly changes: Change[];
  readonly takings: Map<string, Taking[]>;
}

/**
 * The people behind nicks, over all files of an export. People keep their identity when they change their nick: in
 * every channel of the network, and in the files of the following days. A nick that was used before someone else took
 * it stays a person of its own. Only facts of the files are used, in order of time, so the result is the same in
 * whichever order the files are read.
 *
 * Memory: some 150 bytes for each nick and for each change of nick.
 */
export class Nicks {
  readonly #networks = new Map<string, Network>();

  /** Notes that a nick was used. */
  use(network: string, nick: string, place: Place): void {
    const { uses } = this.#of(network);
    const known = uses.get(fold(nick));
    if (!known || isBefore(place, known)) uses.set(fold(nick), place);
  }

  change(network: string, change: Change): void {
    this.#of(network).changes.push(change);
  }

  /** Call it behind the last file, before anything is asked. */
  seal(): void {
    for (const network of this.#networks.values()) {
      const { uses, changes, takings } = network;
      changes.sort((a, b) => (isBefore(a.place, b.place) ? -1 : 1));
      for (const { from, to, place } of changes) {
        const before = takings.get(fold(to));
        const used = uses.get(fold(to));
        if (!before && used && isBefore(used, place)) takings.set(fold(to), []);
        const own = takings.get(fold(to));
        const { id, name } = lastPerson(network, from, place);
        if (own?.length === 0 || own?.at(-1)?.id === id || id === fold(to)) continue;
        if (own) own.push({ place, id, name });
        else takings.set(fold(to), [{ place, id, name }]);
      }
      changes.length = 0;
    }
  }

  /** @returns the id of the person, which is the first of their nicks, and a nick to show. */
  findPerson(network: string, nick: string, place: Place): { readonly id: string; readonly name: string } {
    return lastPerson(this.#of(network), nick, place);
  }

  /** Whether the nick occurs in lines that are certain. */
  isKnown(nick: string): boolean {
    return [...this.#networks.values()].some(({ uses }) => uses.has(fold(nick)));
  }

  /** Other networks that have the nick, if it was used here for the first time in this network. */
  alsoOn(network: string, nick: string, place: Place): readonly string[] {
    const first = this.#of(network).uses.get(fold(nick));
    if (!first || first.file !== place.file || first.line !== place.line) return [];
    return [...this.#networks].flatMap(([other, { uses }]) =>
      other !== network && uses.has(fold(nick)) ? [other] : [],
    );
  }

  #of(name: string): Network {
    const known = this.#networks.get(name);
    if (known) return known;
    const network: Network = { uses: new Map(), changes: [], takings: new Map() };
    this.#networks.set(name, network);
    return network;
  }
}

function lastPerson({ takings }: Network, nick: string, place: Place): { id: string; name: string } {
  const key = fold(nick);
  return lastUntil(takings.get(key) ?? [], place) ?? { id: key, name: nick };
}

/** The last one that is not behind the place, of those in their order. */
function lastUntil(takings: readonly Taking[], place: Place): Taking | undefined {
  let [from, to] = [0, takings.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isBefore(place, takings[middle]!.place)) to = middle;
    else from = middle + 1;
  }
  return takings[from - 1];
}

/** An order of all places: by time, and of one time by file and line. */
const isBefore = (a: Place, b: Place): boolean => (a.orderMs - b.orderMs || a.file - b.file || a.line - b.line) < 0;
