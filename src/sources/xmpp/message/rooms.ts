import { domainOf, occupantAddress } from './addresses.ts';

/** Several people have had the nick. */
const several = '';

/** One copy of a private message in a room: who has it, and the nick of the other person. */
export interface Half {
  readonly room: string;
  readonly nick: string;
  readonly real: string;
  readonly isSent: boolean;
}

/** Copies that wait for the other one, some 200 bytes each. */
const halvesMax = 100_000;

/** Which addresses are rooms, and who had which nick there. Memory: some 100 bytes for each room and nick. */
export class Rooms {
  readonly #hosts: ReadonlySet<string>;
  readonly #rooms = new Set<string>();
  readonly #nicks = new Map<string, string>();
  readonly #shared: Rooms | undefined;
  readonly #halves = new Map<string, Half>();

  /**
   * @param hosts All addresses of these are rooms.
   * @param shared What all files together say.
   */
  constructor(hosts: ReadonlySet<string> = new Set(), shared?: Rooms) {
    this.#hosts = hosts;
    this.#shared = shared;
  }

  note(room: string, nick: string | undefined, real: string | undefined): void {
    this.#rooms.add(room);
    if (nick === undefined || real === undefined) return;
    const occupant = occupantAddress(room, nick);
    const before = this.#nicks.get(occupant);
    this.#nicks.set(occupant, before === undefined || before === real ? real : several);
  }

  /**
   * Notes one copy of a private message. The other one has the address where this one has a nick, and a nick where it has an address.
   *
   * @param key The same for both copies, and for no other message.
   */
  notePrivate(key: string, half: Half): void {
    const other = this.#halves.get(key);
    if (other !== undefined && other.isSent !== half.isSent) {
      this.note(half.room, half.nick, other.real);
      this.note(half.room, other.nick, half.real);
    } else if (this.#halves.size < halvesMax) this.#halves.set(key, half);
  }

  isRoom(bare: string): boolean {
    return this.#rooms.has(bare) || this.#hosts.has(domainOf(bare)) || this.#shared?.isRoom(bare) === true;
  }

  /** Returns the address behind a nick, if the export shows one and no other. */
  findReal(room: string, nick: string): string | undefined {
    const own = this.#nicks.get(occupantAddress(room, nick));
    const other = this.#shared?.nickOf(room, nick);
    if (own === undefined || other === undefined || own === other) return (own ?? other) || undefined;
    return undefined;
  }

  /** Empty for a nick of several people. */
  nickOf(room: string, nick: string): string | undefined {
    return this.#nicks.get(occupantAddress(room, nick));
  }
}
