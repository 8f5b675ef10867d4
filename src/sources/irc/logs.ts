import type { ConversationRecord } from '../../model/records.ts';
import { readDay } from './format.ts';

/** A log file: whose it is, and the day that its name says. */
export interface Log {
  readonly conversation: ConversationRecord;
  /** Midnight as if it were UTC. */
  readonly dayMs: number | undefined;
}

/** What the path does not say. */
interface Surroundings {
  readonly network: string;
  /** The user's own nick; empty where it is not said. */
  readonly nick: string;
}

/** Nicks and channels are the same in capital letters, and so are `{}|^` and `[]\~`: RFC 2812, 2.2. */
export const fold = (name: string): string =>
  name.toLowerCase().replace(/[[\]\\~]/g, (character) => '{}|^'['[]\\~'.indexOf(character)]!);

const suffix = /[._-]?(?:(?<day>\d{4}-?\d\d-?\d\d)|\d{4}-\d\d|\d\d-\d\d)$/;

/** Windows of a client that are no conversation. */
const noConversation = /^(?:\*?status|\(server\)|core\.weechat|irc\.server\.[^.]*)$/;

/**
 * Network and conversation stand in the path, in one of these ways, with or without a day:
 *
 *     tidenet/#harbour.log                 irssi, mIRC        tidenet/#harbour/2026-03-02.log      ZNC
 *     irc.tidenet.#harbour.weechatlog      WeeChat            ann_tidenet_#harbour_20260302.log    ZNC before 1.6
 *
 * @returns A reason for what is known and left out, undefined for what is no log by its name.
 */
export function logOf(path: string, { network, nick }: Surroundings): Log | { readonly skip: string } | undefined {
  const [file = '', folder = '', above = ''] = path.split('/').reverse();
  const name = /^(.*)\.(?:weechatlog|log)(?:\.gz)?$/i.exec(file)?.[1] ?? (/^[#&]/.test(file) ? file : undefined);
  if (name === undefined) return undefined;
  const day = suffix.exec(name)?.groups?.day;
  const base = name.replace(suffix, '');
  const named = /^(?:irc\.(?<weechat>[^.]+)\.|[^_#&]+_(?<znc>[^_#&]+)_(?=[#&]))?(?<window>.*)$/.exec(base)!.groups!;
  const window = base === '' ? folder : noConversation.test(base) ? base : named.window!;
  if (noConversation.test(window)) return { skip: 'Log of a client or server; holds no conversation' };
  const where = fold(named.weechat ?? named.znc ?? ((base === '' ? above : folder) || network));
  const isChannel = /^[#&+!]/.test(window);
  return {
    dayMs: day === undefined ? undefined : readDay(day),
    conversation: {
      kind: 'conversation',
      id: where === '' ? fold(window) : `${where}/${fold(window)}`,
      // A log does not say whether everybody could come in: what was not public must not become it.
      type: isChannel ? 'private' : 'direct',
      name: isChannel ? window : '',
      members: isChannel || nick === '' ? [] : [fold(nick), fold(window)],
    },
  };
}
