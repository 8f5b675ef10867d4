import type { Store } from '../../../store/open.ts';
import { IdCounts } from '../../../lib/maps/id-counts.ts';
import type { Facts } from '../../../model/facts.ts';
import type { Rules } from '../../../mapping/rules.ts';
import type { ArrivalFigures } from '../../collect-arrivals.ts';
import type { ReportData } from '../../report-data.ts';
import type { Tally } from '../../tally.ts';
import { countConversations, type LossCounts, type LossKind } from './loss.ts';
import { messageLosses } from './message-losses.ts';
import { groupOf, settings } from './loss-traits.ts';
import { conversationLosses, peopleLosses } from './people-losses.ts';
import type { LostPart } from '../../../model/lost-parts.ts';

/** @param about What the report has counted already: orphans, findings by code, files that are copied. */
export function countLosses(
  store: Store,
  destination: number | null,
  tally: Tally,
  {
    orphans,
    found,
    media,
    arrivals,
  }: Pick<LossCounts, 'orphans' | 'found' | 'media'> & { readonly arrivals: ArrivalFigures['lost'] | undefined },
): LossCounts {
  const people = store.totals.countLossPeople();
  // Kept: it goes through all conversations.
  const { conversations, silentSent } = store.totals.computeOnce(`losses of conversations at ${destination}`, () => {
    const silent = new IdCounts();
    function* conversationsSent() {
      for (const row of store.totals.lossConversations()) {
        if (!tally.conversations.has(row.id)) continue;
        if (row.receiverType === 'user')
          for (const person of [row.personA, row.personB]) if (person && !tally.authors.has(person)) silent.add(person);
        yield row;
      }
    }
    return { conversations: countConversations(conversationsSent()), silentSent: silent.size };
  });
  return {
    planned: Object.fromEntries(tally.planned),
    skipped: new Map([...tally.skipped].map(([rule, { count }]) => [rule, count])),
    orphans,
    subSecond: store.totals.countSubSecondTimes(),
    importsPeople: arrivals !== undefined,
    silentMembers: arrivals?.members ?? Number(store.facts.read('silentMembers') ?? 0),
    silentPeople: arrivals?.people ?? people.total - tally.authors.size - silentSent,
    actions: store.actions.countWanted(),
    silentReactions: Number(store.facts.read('silentReactions') ?? 0),
    relations: store.actions.countRelations(),
    people,
    conversations,
    found,
    media,
  };
}

/**
 * Returns the losses of an export, most first: how many, and what becomes of each under the rules.
 *
 * @param placeOf Returns the location in the export of the message with a `seq`.
 */
export function listLosses(
  counts: LossCounts,
  rules: Rules,
  { tally, locate: placeOf }: { readonly tally: Tally; readonly locate: (seq: number) => string },
): ReportData['losses'] {
  return lossKinds
    .filter(({ count }) => count(counts) > 0)
    .map((kind) => {
      const { name, what } = kind;
      const example = lossExample(kind, tally.examples);
      const becomes = kind.becomes(rules, counts);
      return {
        ...{ name, count: kind.count(counts), what, becomes, group: groupOf({ name, becomes }) },
        ...(settings[name] !== undefined && { setting: settings[name] }),
        ...(example !== undefined && { example: placeOf(example) }),
      };
    })
    .sort((a, b) => b.count - a.count);
}

/** Counts of a plan that is one message. */
const alone = (planned: Facts): LossCounts => ({
  planned,
  skipped: new Map(),
  orphans: 0,
  subSecond: 0,
  importsPeople: false,
  silentMembers: 0,
  silentPeople: 0,
  actions: {},
  silentReactions: 0,
  relations: { block: 0, friend: 0 },
  people: { total: 0, officers: 0, guests: 0, deleted: 0, placeholders: 0, emails: 0, phones: 0, handles: 0 },
  conversations: { archived: 0, directAsGroup: 0, groupDirect: 0, creatorsLost: 0, topicsLost: 0, directDetails: 0 },
  found: new Map(),
  media: undefined,
});

/**
 * Returns the `seq` of the first planned message that loses something of this kind; undefined if the loss is not in the
 * content of messages.
 *
 * @param firsts For each fact, the `seq` of the first planned message that has it.
 */
export function lossExample(kind: LossKind, firsts: ReadonlyMap<string, number>): number | undefined {
  const seqs = [...firsts].flatMap(([fact, seq]) => (kind.count(alone({ [fact]: 1 })) > 0 ? [seq] : []));
  return seqs.length === 0 ? undefined : Math.min(...seqs);
}

/** Losses that sources count in the messages that they read (`model/lost-parts.ts`), for messages that are sent. */
const rows: Readonly<Record<LostPart, readonly [name: string, what: string, becomes: string]>> = {
  previews: ['link previews', 'previews that the old system made of links', 'not migrated; the links are in the texts'],
  underlines: ['underlines', 'pieces of text that are underlined', 'sent without the line: Markdown has none'],
  styles: [
    'styles inside words',
    'pieces of bold, slanted or struck text that begin or end inside a word or at a mark',
    'sent without the style: Markdown cannot set it there',
  ],
  emojiInText: [
    'custom emoji in texts',
    'emoji in texts that are pictures of the old system',
    'sent as :name:, or as the ordinary emoji that the export gives for them; the pictures are not migrated',
  ],
  accidentalMarkup: [
    'accidental Markdown',
    'messages with indents, dashes, numbers or marks that mean something in Markdown and were only typed',
    'sent as they were typed; apps that render Markdown show them differently',
  ],
  unnamed: [
    'names that are not known',
    'mentions of people, groups and conversations that no file names',
    'shown by their id in the text',
  ],
  oldLinks: [
    'links into the old system',
    'addresses in texts that lead to messages, files or people of the old system',
    'sent as they are; dead once it is closed. Those of messages: data.metadata.chatferry.links has the key under which the message is sent',
  ],
  appData: ['data of apps', 'messages to which an app attached data of its own', 'not migrated'],
  menus: [
    'menus and fields',
    'menus, fields and dates that could be chosen or filled in',
    'not migrated: they did nothing any more',
  ],
  cardDetails: [
    'details of cards',
    'times, colours, icons and small pictures of the cards of apps',
    'not migrated; the texts include the content of the cards',
  ],
  snippets: [
    'beginnings of text files',
    'files with only their first lines in the export',
    'not migrated; the file itself is listed among the files',
  ],
  fileTokens: [
    'tokens of files',
    'addresses of files with a token that lets everybody open them',
    'sent without the token, so they need a login; source.fileTokens decides',
  ],
  encrypted: [
    'encrypted messages',
    'messages that only the devices of those who talked can read',
    'sent as "Encrypted message", so that answers and reactions have their place',
  ],
};

/** Only known once everything was read. */
const deadLinks: LossKind = {
  name: 'links to messages that are not sent',
  what: 'addresses in texts that lead to messages of the old system that are skipped, invalid or not in the export',
  count: ({ found }) => found.get('link-to-unsent') ?? 0,
  becomes: () => 'sent as they are; the key in metadata leads nowhere until the message is sent',
};

const counted: readonly LossKind[] = Object.entries(rows).map(([part, [name, what, becomes]]) => ({
  name,
  what,
  count: ({ planned }) => planned[part as LostPart] ?? 0,
  becomes: () => becomes,
}));

const partLosses: readonly LossKind[] = [...counted, deadLinks];

/** Everything that an export may have and the service cannot hold as such. */
export const lossKinds: readonly LossKind[] = [...messageLosses, ...partLosses, ...peopleLosses, ...conversationLosses];
