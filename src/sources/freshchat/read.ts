import { asId } from '../kit/narrow.ts';
import { readAnswers } from '../kit/rows/answer-rows.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { SavedPages } from '../kit/rows/saved-pages.ts';
import type { ReadSource } from '../source.ts';
import { Directory } from './directory.ts';
import { conversationIn, recogniseFreshchat, findFreshchatLayout, freshchatLists } from './layout.ts';
import { readMessage } from './message.ts';
import { MessagePages, findNextPage, wordsForMore } from './pages.ts';

export const read: ReadSource = (input, _options, context) => {
  const newCounts = () => new CountedProblems('freshchat-not-migrated');
  const counts = newCounts();
  const directory = new Directory(counts);
  const workspace = context.workspace ?? '';
  const pages = new MessagePages();
  const lists = new SavedPages(input, wordsForMore);
  /** Pages, by path; a file of lines is none. */
  const isPageOfMessages = new Map<string, boolean>();
  return readAnswers(input, context, {
    list: freshchatLists,
    async findLayout(exported, path) {
      const layout = await findFreshchatLayout(exported, path);
      if (layout && 'at' in layout && layout.at.layout === 'list')
        isPageOfMessages.set(path, layout.kinds.has('messages'));
      return layout;
    },
    kindOf: recogniseFreshchat,
    order: ['users', 'agents', 'conversations'],
    time: /"created_time"\s{0,9}:\s{0,9}"([^"]{1,40})"/,
    counts,
    newCounts,
    lastMessages: directory.lastMessages,
    addListed: (kind, row, location, into) => directory.addListed(kind, row, location, into),
    newDescriber: () => directory.newDescriber(),
    readMessage: (row, sortKey) => readMessage(row, { workspace, sortKey }),
    idOf: (row) => asId(row.conversation_id),
    conversationOf: (row) => asId(row.conversation_id),
    async missingAfter(exported, path, behind) {
      const isOfMessages = isPageOfMessages.get(path);
      if (isOfMessages === false) return lists.missingAfter(path, behind);
      const conversation = isOfMessages && (await conversationIn(exported, path));
      if (conversation)
        pages.see(
          conversation,
          path,
          findNextPage((key) => behind.get(key)),
        );
      return [];
    },
    missing: () => pages.missing(),
  });
};
