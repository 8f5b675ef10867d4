import { readDay } from './stamps.ts';

/** Facts from the path of a log. */
export interface NamedLog {
  /** The channel, or the nick of the other person. */
  readonly window: string;
  /** Empty if nothing says it. */
  readonly network: string;
  /** Midnight as if it were UTC. */
  readonly dayMs: number | undefined;
  /** `+01:00`, of programs that write it into the name. */
  readonly zone: string | undefined;
  /** The name is one that logs have; others are logs only if their lines are. */
  readonly isNamedLikeLog: boolean;
}

/** Nicks and channels are the same in capital letters, and so are `{}|^` and `[]\~`: RFC 2812, 2.2. */
export const fold = (name: string): string =>
  name.toLowerCase().replace(/[[\]\\~]/g, (character) => '{}|^'['[]\\~'.indexOf(character)]!);

export const isChannelName = (window: string): boolean => /^[#&+!]/.test(window);

/** Windows of a client that are no conversation. */
const noConversation = /^(?:\*?status|\(server\)|console|core\.weechat|irc\.server\.[^.]*)$/i;

/** Folders that say what kind of window is in them. */
const kinds = /^(?:channels|queries|private messages|users|talk|chats)$/i;

const dayPattern = String.raw`\d{4}-\d\d-\d\d|\d{8}|\d{4}\.\d\d\.\d\d|\d\d-[A-Z][a-z]{2}-\d{4}`;
const atEnd = new RegExp(
  `[._-]?(?:(?<day>${dayPattern})(?:[._-]\\d\\d[-.]?\\d\\d(?:[-.]?\\d\\d)?)?|\\d{4}-\\d\\d|\\d\\d-\\d\\d)$`,
);
const atBeginning = /^(?<day>\d{4}-\d\d-\d\d|\d{8})[._-](?=.)/;
const wholeDay = new RegExp(`^(?:${dayPattern})$`);
const partOfDay = /^(?:(?:19|20)\d\d|(?:19|20)\d\d-\d\d|\d\d-\d\d|\d\d)$/;

/** Names that have the network in them. */
const structures: readonly RegExp[] = [
  // WeeChat: irc.tidenet.#harbour.weechatlog
  /^irc\.(?<network>[^.]+)\.(?<window>.+)$/,
  // KVIrc: channel_#harbour.tidenet_2026.03.02.log
  /^(?:channel|query|deadchannel|deadquery)_(?<window>.+)\.(?<network>[^._]+)$/,
  // ZNC before 1.6: ann_tidenet_#harbour_20260302.log
  /^[^_#&]+_(?<network>[^_#&]+)_(?<window>[#&].*)$/,
  // Konversation: tidenet_#harbour.log
  /^(?<network>[^_#&]+)_(?<window>[#&].*)$/,
];

/** LimeChat: `#harbour_2026-03-02_tidenet.txt`, or `2026-03-02_tidenet.txt` in the folder of the channel. */
const limechat = /^(?:(?<window>.+)_)?(?<day>\d{4}-\d\d-\d\d)_(?<network>[^/]+)$/;
/** Pidgin: `2026-03-02.091455+0100CET.txt`, or `.html` */
const pidgin = /^(?<day>\d{4}-\d\d-\d\d)\.\d{6}(?<hours>[+-]\d\d)(?<minutes>\d\d)[A-Z]*$/;
/** RRSAgent: `02-harbour-irc.txt`, the day of some month. */
const rrsagent = /^\d\d-(?<window>.+)-irc$/;

interface Parts {
  readonly window: string;
  readonly network?: string | undefined;
  readonly day?: string | undefined;
  readonly zone?: string;
}

/**
 * Network, conversation and day are in the path, in one of many ways:
 *
 *     tidenet/#harbour.log                 irssi, mIRC        tidenet/#harbour/2026-03-02.log      ZNC
 *     tidenet/#harbour/#harbour.log        Limnoria           TideNet (1A2B3)/Channels/#harbour/2026-03-02.txt      Textual
 *     tidenet/#harbour/2026/03-02.log      bots               2026/03/02/#harbour.txt              Ubuntu
 *
 * and those of `structures`. So from the end of the path to its beginning: days, kinds of windows and repetitions are left out; what is
 * left is the window, and the folder before it the network.
 *
 * @returns A reason for what is known and left out, undefined for what cannot be a log by its name.
 */
export function readLogName(path: string): NamedLog | { readonly skip: string } | undefined {
  const folders = path.split('/');
  const named = splitEnding(folders.pop()!);
  if (!named) return undefined;
  const file = splitName(named.base);
  const days: string[] = file.day === undefined ? [] : [file.day];
  let window = file.window;
  let network = file.network;
  for (const folder of folders.reverse()) {
    if (wholeDay.test(folder) || partOfDay.test(folder)) days.unshift(folder);
    else if (kinds.test(folder) || (window !== '' && plain(folder) === fold(window))) continue;
    else if (window === '') window = folder.replace(/\.chat$/, '');
    else if (network === undefined) network = /^[^@]+@(.+)$/.exec(folder)?.[1] ?? folder;
    else break;
  }
  if (noConversation.test(window)) return { skip: 'Log of a client or server; holds no conversation' };
  if (window === '') return undefined;
  const day = days.find((part) => wholeDay.test(part)) ?? days.join('-');
  return { window, network: fold(network ?? ''), dayMs: readDay(day), zone: file.zone, isNamedLikeLog: named.isLog };
}

const plain = (folder: string): string => fold(folder.replace(/\.chat$/, ''));

/** The name without what programs put behind it. */
function splitEnding(file: string): { readonly base: string; readonly isLog: boolean } | undefined {
  const name = file.replace(/\.gz$/i, '');
  // Eggdrop: #harbour.log.20260302
  const rotated = /^(.*)\.log\.(\d{8}|\d{4}-\d\d-\d\d)$/i.exec(name);
  if (rotated) return { base: `${rotated[1]}.${rotated[2]}`, isLog: true };
  const log = /^(.*?)(?:\.log\.txt|\.weechatlog|\.log)$/i.exec(name);
  if (log) return { base: log[1]!, isLog: !/\.txt$/i.test(name) || isChannelName(name) };
  const page = /^(.*)\.html$/i.exec(name);
  if (page) return pidgin.test(page[1]!) ? { base: page[1]!, isLog: false } : undefined;
  const text = /^(.*)\.txt$/i.exec(name);
  if (text) return { base: text[1]!, isLog: isChannelName(name) };
  return /^[#&]/.test(name) ? { base: name, isLog: true } : undefined;
}

function splitName(base: string): Parts {
  if (noConversation.test(base)) return { window: base };
  const fixed = (limechat.exec(base) ?? pidgin.exec(base) ?? rrsagent.exec(base))?.groups;
  if (fixed) {
    const { window = '', network, day, hours, minutes } = fixed;
    return { window, network, day, ...(hours !== undefined && { zone: `${hours}:${minutes}` }) };
  }
  if (partOfDay.test(base)) return { window: '', day: base };
  const { day, rest } = withoutDay(base);
  if (noConversation.test(rest)) return { window: rest, day };
  for (const structure of structures) {
    const groups = structure.exec(rest)?.groups;
    if (groups) return { window: groups.window!, network: groups.network, day };
  }
  return { window: rest, day };
}

function withoutDay(base: string): { readonly day: string | undefined; readonly rest: string } {
  const end = atEnd.exec(base);
  if (end) return { day: end.groups!.day ?? (end[0] === base ? base : undefined), rest: base.slice(0, end.index) };
  const beginning = atBeginning.exec(base);
  if (beginning) return { day: beginning.groups!.day, rest: base.slice(beginning[0].length) };
  return { day: undefined, rest: base };
}
