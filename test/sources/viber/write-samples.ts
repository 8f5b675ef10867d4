/** Writes the databases of `samples/viber`: node test/sources/viber/write-samples.ts */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, eventRows, type MadeEvent, makeDatabase, oldTables, type Row } from './viber-database.ts';

const [group, withAnn, notes, news] = [1, 2, 3, 4];
const [me, ann, ben, cleo] = [1, 2, 3, 4];
const notesFlag = 524_288;

const contacts: readonly Row[] = [
  { ContactID: me, Number: '+15555550100', MID: 'mid-me', ClientName: 'Ines' },
  { ContactID: ann, Name: '\u2068Ann Ray\u2069', Number: '+15555550101', MID: 'mid-ann', ClientName: 'annie' },
  { ContactID: ben, Number: '+15555550102', MID: 'mid-ben', ClientName: 'Ben', DateOfBirth: '2001-01-01' },
  { ContactID: cleo, MID: 'mid-cleo', ClientName: 'Cleo' },
];
const chats: readonly Row[] = [
  { ChatID: group, Name: 'Harbour crew', Token: '7701', PGType: 255 },
  { ChatID: withAnn, Name: null, Token: null, PGType: 255 },
  { ChatID: notes, Name: null, Token: '5501', Flags: notesFlag, PGType: 255 },
  { ChatID: news, Name: 'Harbour news', Token: '9901', PGType: 3, PGTags: 'harbour' },
];
const members: readonly Row[] = [
  [group, me],
  [group, ann],
  [group, ben],
  [group, cleo],
  [withAnn, me],
  [withAnn, ann],
  [notes, me],
  [news, me],
].map(([ChatID, ContactID]) => ({ ChatID: ChatID!, ContactID: ContactID! }));

/** Ids that no JavaScript number holds. */
const token = (number: number): bigint => 6_200_000_000_000_000_000n + BigInt(number);

const inOf = (chat: number, contact: number, second: number, number: number): Row => ({
  ...{ TimeStamp: at(second), Direction: 0, ChatID: chat, ContactID: contact, Token: token(number) },
});
const outOf = (chat: number, second: number, number: number): Row => ({
  ...{ TimeStamp: at(second), Direction: 1, ChatID: chat, ContactID: me, Token: token(number) },
});
const info = (text: string): Row => ({ Info: text });

const desktop: readonly MadeEvent[] = [
  {
    event: { ...inOf(group, ann, 0, 1), IsRead: 1 },
    message: {
      ...{ Body: 'Is berth six free, @Ben?', MembersReactions: '{"1":2,"2":1,"🙏":1}' },
      ...info(
        '{"textMetaInfo":[{"type":0,"memberId":"mid-ben","start":19,"end":23},{"type":0,"memberId":"mid-dora","start":0,"end":1}]}',
      ),
    },
  },
  {
    event: inOf(group, ben, 1, 2),
    message: { Body: 'From six on', ...info('{"quote":{"token":6200000000000000001,"text":"Is berth six free"}}') },
  },
  {
    event: outOf(group, 2, 3),
    message: { Body: 'Berth seven, not six', ...info('{"desktop_info":{"edit_token":6200000000000000004}}') },
  },
  {
    event: outOf(group, 3, 4),
    message: { Body: 'Berth seven, not six', ...info('{"edit":{"token":6200000000000000003}}') },
  },
  { event: { ...inOf(group, ben, 4, 5), Type: 3 }, message: { Type: 0, Status: 129, PGIsLiked: 1 } },
  { event: { ...outOf(group, 5, 6), Type: 3 }, message: { Type: 0, Status: 129, PGIsLiked: 1 } },
  { event: { ...outOf(group, 6, 7), Type: 3 }, message: { Type: 0, Status: 129, PGIsLiked: 2 } },
  {
    event: { ...inOf(group, cleo, 7, 8), Type: 3 },
    message: { Type: 0, Status: 129, PGIsLiked: 7, SelfReaction: '🙏' },
  },
  { event: { ...inOf(group, cleo, 8, 9), Type: 3 }, message: { Type: 0, Status: 129, PGIsLiked: 6 } },
  { event: inOf(group, cleo, 9, 10), message: { Type: 72, Body: '', ...info('') } },
  {
    event: outOf(group, 10, 11),
    message: {
      ...{
        Type: 2,
        Body: 'The winch',
        PayloadPath: 'C:\\Users\\ines\\Documents\\ViberDownloads\\winch.jpg',
        ThumbnailPath: 'C:\\t.jpg',
      },
      ...info('{"fileInfo":{"ContentType":"PIC"}}'),
    },
  },
  { event: inOf(group, ben, 11, 12), message: { Type: 3, Subject: 'The tide', Duration: 4200, Body: '' } },
  { event: inOf(group, ben, 11, 13), message: { Type: 4, StickerID: 30_301 } },
  {
    event: { ...inOf(group, cleo, 12, 14), ContactLatitude: 541_234_567, ContactLongitude: -12_345_678 },
    message: { Type: 5, ...info('{"locationInfo":{"address":"Harbour Road 1"}}') },
  },
  { event: inOf(group, cleo, 13, 15), message: { Type: 6, PttID: 'ptt1', Duration: 2000 } },
  {
    event: inOf(group, ann, 14, 16),
    message: {
      ...{ Type: 9, Body: 'Look at https://tides.example.com/today' },
      ...info('{"URL":"https://tides.example.com/today","Title":"Tides","generalFwdInfo":{"origin":1}}'),
    },
  },
  { event: outOf(group, 15, 17), message: { Type: 10, ...info('{"Name":"Dora","PhoneNumber":"+15555550109"}') } },
  { event: inOf(group, ann, 16, 18), message: { Type: 11, PayloadPath: 'D:\\ViberDownloads\\plan.pdf' } },
  {
    event: inOf(group, ann, 17, 19),
    message: { Type: 15, ...info('{"pin":{"action":"create","token":6200000000000000001}}') },
  },
  { event: { ...inOf(group, ann, 18, 0), Type: 3, Token: 0 }, message: { Type: 0, Body: 'Ann added Cleo' } },
  { event: { ...inOf(group, ann, 19, 20), Type: 1 } },
  { event: inOf(group, ben, 20, 21), message: { Body: 'A kind of later', Type: 66, ...info('{"poll":{"id":1}}') } },
  {
    event: { ...inOf(withAnn, ann, 21, 22), ContactLatitude: 1, ContactLongitude: 2 },
    message: { Body: 'Are you there?' },
  },
  { event: outOf(withAnn, 22, 23), message: { Body: '**Yes**, and a second line\nbelow' } },
  { event: outOf(notes, 23, 24), message: { Body: 'Buy rope' } },
  { event: inOf(news, cleo, 24, 25), message: { Body: 'The harbour opens at six' } },
];

/** Which events are reactions, and to what. */
const likes: readonly Row[] = [
  [1, 5],
  [1, 6],
  [1, 7],
  [1, 8],
  [99, 9],
].map(([number, LikeEventID]) => ({ MessageToken: token(number!), LikeEventID: LikeEventID! }));

const [dan, eve] = ['+15555550111', '+15555550112'] as const;
const old: readonly MadeEvent[] = [
  { event: { TimeStamp: at(0), Direction: 0, Number: dan, Token: 11 }, message: { Body: 'Is the pier open?' } },
  { event: { TimeStamp: at(1), Direction: 1, Number: dan, Token: 12 }, message: { Body: 'From six on' } },
  { event: { TimeStamp: at(2), Direction: 0, ChatID: 1, Number: eve, Token: 13 }, message: { Body: 'Good morning' } },
  {
    event: { TimeStamp: at(2), Direction: 1, ChatID: 1, Number: null, Token: 14 },
    message: { Body: 'At the same time' },
  },
  { event: { TimeStamp: at(3), Direction: 0, Type: 1, Number: eve, Token: 15 } },
];

const damaged: readonly MadeEvent[] = [
  { event: inOf(withAnn, ann, 0, 1), message: { Body: 'Whole' } },
  { event: { ...inOf(withAnn, ann, 1, 2), ChatID: 77 }, message: { Body: 'Of no chat' } },
  { event: { ...inOf(withAnn, ann, 2, 3), Direction: 5 }, message: { Body: 'Neither in nor out' } },
  { event: { ...inOf(withAnn, ann, 3, 4), TimeStamp: 0 }, message: { Body: 'Without a time' } },
  { event: inOf(withAnn, ann, 4, 5), message: { Body: Buffer.from([1, 2, 3]) } },
  { event: inOf(withAnn, ann, 5, 6), message: { Type: 66 } },
  { event: inOf(withAnn, ann, 6, 7), message: { Body: 'Damaged details', Info: '{"quote":' } },
  { event: { ...outOf(withAnn, 7, 8), ContactID: ann }, message: { Body: 'Sent, by the contact of the other' } },
];

/** @param root Folder of the samples. */
export function writeSamples(root: string): void {
  for (const sample of ['desktop/export/ViberDownloads', 'tables-of-2014', 'damaged-rows/export'])
    mkdirSync(join(root, sample), { recursive: true });
  for (const path of ['desktop/export/viber.db', 'tables-of-2014/export.db', 'damaged-rows/export/viber.db'])
    rmSync(join(root, path), { force: true });
  makeDatabase(join(root, 'desktop/export/viber.db'), {
    ...{ Contact: contacts, ChatInfo: chats, ChatRelation: members, ...eventRows(desktop) },
    LikeRelation: likes,
  });
  writeFileSync(join(root, 'desktop/export/ViberDownloads/winch.jpg'), 'A picture\n');
  makeDatabase(
    join(root, 'tables-of-2014/export.db'),
    {
      ChatInfo: [{ ChatID: 1, Name: 'Pier', Token: '4401' }],
      ChatRelation: [dan, eve].map((number) => ({ ChatID: 1, Number: number })),
      Contact: [{ ContactID: 1, FirstName: 'Dan', SecondName: 'Low' }],
      ContactRelation: [{ ContactID: 1, Number: dan }],
      ...eventRows(old),
      OriginNumberInfo: [
        { Number: dan, ClientName: 'danny' },
        { Number: eve, ClientName: 'Eve' },
      ],
    },
    oldTables,
  );
  makeDatabase(join(root, 'damaged-rows/export/viber.db'), {
    Contact: contacts.slice(0, 2),
    ChatInfo: chats.slice(1, 2),
    ChatRelation: members.slice(4, 6),
    ...eventRows(damaged),
  });
  writeFileSync(join(root, 'damaged-rows/export/notes.txt'), 'Not of Viber\n');
}

if (import.meta.main) writeSamples('samples/viber');
