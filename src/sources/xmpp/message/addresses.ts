/** An address of XMPP: RFC 7622. */
export interface Jid {
  /** Without the resource, in small letters: servers compare it so. */
  readonly bare: string;
  /** A device, or the nick in a room; as it is written. */
  readonly resource: string | undefined;
}

const lengthMax = 3071;

/** @returns undefined if it is no address. */
export function parseJid(text: string | undefined): Jid | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || trimmed.length > lengthMax) return undefined;
  const slash = trimmed.indexOf('/');
  const bare = (slash === -1 ? trimmed : trimmed.slice(0, slash)).toLowerCase();
  if (!/^(?:[^@\s\p{Cc}]+@)?[^@\s\p{Cc}]+$/u.test(bare)) return undefined;
  return { bare, resource: (slash === -1 ? '' : trimmed.slice(slash + 1)) || undefined };
}

export const domainOf = (bare: string): string => bare.slice(bare.indexOf('@') + 1);
/** The part before the `@`. */
export const nodeOf = (bare: string): string => (bare.includes('@') ? bare.slice(0, bare.indexOf('@')) : bare);

/** Id of a person in a room whose address is not known. */
export const occupantAddress = (room: string, nick: string): string => `${room}/${nick}`;
