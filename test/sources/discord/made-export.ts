import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const guild = { id: '1477000000000000001', name: 'Harbour', iconUrl: '' };
const channel = {
  id: '1477000000000000100',
  type: 'GuildTextChat',
  categoryId: null,
  category: null,
  name: 'general',
  topic: null,
};
const words = ['tide', 'pier', 'boat', 'rope', 'gull', 'storm', 'light', 'anchor'];

const userOf = (number: number) => ({
  id: String(300_000_000_000_000_000n + BigInt(number)),
  name: `person${number}`,
  discriminator: '0000',
  nickname: `Person ${number}`,
  color: null,
  isBot: false,
  roles: [],
  avatarUrl: `https://cdn.example.com/avatars/${number}.png`,
});

/** Returns the nth message: each third mentions a person, each tenth has a file, each seventh a reaction. */
function messageOf(n: number): object {
  const said = Array.from({ length: 8 + (n % 9) }, (_, at) => words[(n * 7 + at * 3) % words.length]).join(' ');
  const author = userOf(n % 500);
  const other = userOf((n * 13) % 500);
  const file = { id: String(n), url: `https://cdn.example.com/a/${n}.png`, fileName: `${n}.png`, fileSizeBytes: n };
  return {
    id: String(1_477_900_000_000_000_000n + BigInt(n) * 4_194_304n),
    type: n % 5 === 0 ? 'Reply' : 'Default',
    timestamp: new Date(1_700_000_000_000 + n * 1000).toISOString().replace('Z', '+00:00'),
    timestampEdited: null,
    callEndedTimestamp: null,
    isPinned: false,
    content: n % 3 === 0 ? `@${other.nickname} ${said}` : `${said} ${n}`,
    author,
    attachments: n % 10 === 0 ? [file] : [],
    embeds: [],
    stickers: [],
    reactions: n % 7 === 0 ? [{ emoji: { id: '', name: '🌊', code: 'ocean' }, count: 1, users: [other] }] : [],
    mentions: n % 3 === 0 ? [other] : [],
    ...(n % 5 === 0 &&
      n > 0 && {
        reference: {
          messageId: String(1_477_900_000_000_000_000n + BigInt(n - 1) * 4_194_304n),
          channelId: channel.id,
          guildId: guild.id,
        },
      }),
    inlineEmojis: [],
  };
}

/** Writes one channel of about so many bytes, always the same, as one file. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const file = openSync(join(folder, `Harbour - general [${channel.id}].json`), 'w');
  let written = writeSync(
    file,
    `${JSON.stringify({ guild, channel, dateRange: {}, exportedAt: '' }).slice(0, -1)},"messages":[`,
  );
  let count = 0;
  while (written < bytes) {
    const texts: string[] = [];
    for (let end = count + 500; count < end; count += 1)
      texts.push(`${count === 0 ? '' : ','}\n${JSON.stringify(messageOf(count))}`);
    written += writeSync(file, texts.join(''));
  }
  writeSync(file, `],"messageCount":${count}}\n`);
  closeSync(file);
  return count;
}
