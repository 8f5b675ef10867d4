import { type Kinds, replace, shared } from '../../contracts/kinds/kind.ts';

export const kinds: Kinds = {
  ownData: 'Messages have no fields for data of an app, and none is for some of a conversation alone',
  unreadContent: 'A line of a chat is text: there is no structure that it could be without',
  nestedRows: 'A chat is a text with a message on each line: nothing can be inside of one',
  partialExports: 'A chat is a text without a count or an end; that an app leaves out what is old is not in it',
  messageNames: 'People have names and no ids',
  sameNames: [
    {
      by: 'the path of the file',
      sample: 'damaged-lines',
      asks: 'kakaotalk-same-name',
      edits: [
        replace('KakaoTalk_Chats_1.txt', 'with Ann Kai', `with ${shared}`),
        replace('KakaoTalk_Chats_2.txt', 'Pier 님과', `${shared} 님과`),
      ],
    },
  ],
  overlaps: 'A message has no id but its time, author and text: a changed one is another message',
  decisions: [
    {
      files: {
        'a.txt':
          'Crew 님과 카카오톡 대화\n저장한 날짜 : 2026-03-02 10:00:00\n\n--------------- 2026년 3월 1일 일요일 ---------------\n[Ann] [오후 8:34] 복사\n[Cai] [오전 9:00] 옛날\n[Bo] [오후 8:40] 네\n',
      },
      asks: { 'kakaotalk-pasted': 'note' },
    },
    { sample: 'windows-en', asks: { 'kakaotalk-app-or-person': 'note' } },
    {
      sample: 'android-en',
      edits: [replace('export.txt', 'Tomasz Brandt : Is', 'Tomasz : Brandt : Is')],
      asks: { 'kakaotalk-names': 1 },
    },
  ],
  pastedLines: {
    asks: ['kakaotalk-pasted', 'kakaotalk-app-or-person'],
    files: /\.txt$/,
    headings: /^-{5}|요일$|^[A-Z][a-z]+day, /,
    aheadMs: 9 * 3_600_000,
  },
};
