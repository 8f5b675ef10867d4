import type { Entry } from '../../model/entry.ts';
import { inLists, partialEntry, problemEntry, invalidEntry } from '../kit/entries.ts';
import { arrange } from '../kit/files/arrange.ts';
import { leftOut } from '../kit/files/paths.ts';
import { readRowFiles, readSharedFiles } from '../kit/files/read-files.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { readJsonEntries } from '../kit/rows/json-entries.ts';
import type { ReadSource } from '../source.ts';
import { type FileContext, readConversation } from './conversation.ts';
import { type Layout, findLayout } from './layout.ts';
import { Directory } from './people.ts';
import type { IntercomOptions } from './options.ts';

export const read: ReadSource<IntercomOptions> = async function* (exported, { texts, titles }, context) {
  const { input, sorted, layouts } = await arrange(exported, { findLayout, verdict: (layout) => layout?.kind });
  yield* inLists(leftOut(sorted));
  const directory = new Directory();
  yield missingPages(layouts);
  yield* readSharedFiles({
    paths: sorted.of('people'),
    context,
    read: (path) =>
      readJsonEntries(input, path, layouts.get(path)!.at, {
        add: ({ value, location }, into) => void directory.add(value, location, into),
        addFault: ({ fault, location }, into) => void into.push(problemEntry(fault.code, fault.reason, location)),
        end: () => [],
      }),
  });
  const workspace = context.workspace ?? '';
  yield* readRowFiles({
    paths: sorted.of('conversations'),
    context,
    read(path) {
      const counts = new CountedProblems('intercom-not-migrated');
      const file: FileContext = { workspace, texts, titles, directory, people: directory.people.inFile(), counts };
      return readJsonEntries(input, path, layouts.get(path)!.at, {
        add: ({ value, location }, into) => void readConversation(value, location, into, file),
        addFault: ({ fault, location }, into) => void into.push(invalidEntry(fault.code, fault.reason, location)),
        end: () => counts.ended(path),
      });
    },
  });
};

/** Lists of which no page is the last one: each by its key. */
function missingPages(layouts: ReadonlyMap<string, Layout>): readonly Entry[] {
  const pages = Map.groupBy(layouts, ([, { at }]) => (at.layout === 'list' ? at.pattern.join() : undefined));
  const reason = '"pages" has a "next": more follows, and no page of the export is the last one';
  return [...pages.values()]
    .filter((ofList) => ofList.every(([, { saysMore }]) => saysMore))
    .map((ofList) => partialEntry(reason, { path: ofList.at(-1)![0] }));
}
