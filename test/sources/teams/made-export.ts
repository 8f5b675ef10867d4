import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const guidOf = (number: number) => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, '0')}`;
const team = 'bbbbbbbb-0000-4000-8000-000000000001';
const words = ['tide', 'pier', 'boat', 'rope', 'gull', 'storm', 'light', 'anchor'];
const userOf = (number: number) => ({ Id: guidOf(number), DisplayName: `Person ${number}`, TenantId: guidOf(0) });

/** Returns the nth message: each third mentions a person, each fifth answers in a thread, each seventh has a reaction. */
function messageOf(n: number): object {
  const id = String(1_700_000_000_000 + n * 1000);
  const said = Array.from({ length: 8 + (n % 9) }, (_, at) => words[(n * 7 + at * 3) % words.length]).join(' ');
  const time = new Date(Number(id)).toISOString();
  const other = userOf((n * 13) % 500);
  return {
    Id: id,
    Body: {
      ContentType: 'html',
      Content: n % 3 === 0 ? `<p><at id="0">Person</at> <b>${said}</b></p>` : `<p>${said}</p>`,
    },
    CreatedDateTime: time,
    LastModifiedDateTime: time,
    LastEditedDateTime: null,
    DeletedDateTime: null,
    Subject: null,
    Importance: 'normal',
    ReplyToId: n % 5 === 4 ? String(Number(id) - 1000) : null,
    From: { Application: null, Device: null, User: userOf(n % 500) },
    Attachments: [],
    Mentions: n % 3 === 0 ? [{ Id: 0, MentionText: 'Person', Mentioned: { User: other, Conversation: null } }] : [],
    Reactions: n % 7 === 0 ? [{ CreatedDateTime: time, ReactionType: '🌊', User: { User: other } }] : [],
    MessageType: 'message',
    ChannelIdentity: { TeamId: team, ChannelId: '19:general0001@thread.tacv2' },
    ChatId: null,
    EventDetail: null,
  };
}

/** Writes one channel of about so many bytes, always the same, as a tenant's export. @returns how many messages it has. */
export async function makeExport(folder: string, bytes: number): Promise<number> {
  mkdirSync(join(folder, 'teams', team), { recursive: true });
  const file = openSync(join(folder, 'teams', team, `messages_${team}.json`), 'w');
  let written = writeSync(file, '[');
  let count = 0;
  while (written < bytes) {
    const texts: string[] = [];
    for (let end = count + 500; count < end; count += 1)
      texts.push(`${count === 0 ? '' : ','}\n${JSON.stringify(messageOf(count))}`);
    written += writeSync(file, texts.join(''));
  }
  writeSync(file, ']\n');
  closeSync(file);
  return count;
}
