import type { ExportInput } from '../../io/input/export-input.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { Attachment } from '../../model/records.ts';
import { invalidEntry, problemEntry, recordEntry } from '../kit/entries.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { type FoundElement, hasClass } from '../kit/text/html-elements.ts';
import { type Conversation, readConversation, nameOfId, readRecords } from './conversation.ts';
import { attachmentFinder } from './files.ts';
import { readCall, readMessage } from './message.ts';
import type { Names } from './names.ts';
import type { Owner } from './owner.ts';
import { readContent, type Page, surveyPage } from './page.ts';

/** A page to read. */
export interface PageFile {
  readonly input: ExportInput;
  readonly path: string;
  readonly workspace: string;
  readonly owner: Owner;
  namesOf(): Promise<Names>;
}

const notMigrated = 'googlevoice-not-migrated';

/** Labels that say what a page is, or where the app shows it. */
const knownLabels: ReadonlySet<string> = new Set([
  ...['sms', 'text', 'inbox', 'unread', 'all', 'history', 'archived', 'spam', 'trash'],
  ...['voicemail', 'recorded', 'placed', 'received', 'missed'],
]);

/** The entries of one page. The entries do not depend on other pages, except for the number of a contact that only they have. */
export async function* readPage(file: PageFile): AsyncGenerator<readonly Entry[]> {
  const { input, path, owner } = file;
  const page = await surveyPage(input, path);
  const conversation = await readConversation(path, page, owner, file.namesOf);
  if (page.held?.length === 0) {
    const reason = page.isWhole
      ? 'Expected messages or a call, found none'
      : 'Cannot read the page: it ends before its first message';
    yield [invalidEntry(page.isWhole ? 'googlevoice-no-message' : 'googlevoice-cut-off', reason, { path })];
    return;
  }
  const attachments = await attachmentFinder(input, path.slice(0, path.lastIndexOf('/') + 1));
  const reading = new Reading({ file, page, conversation, attachments });
  yield reading.begin();
  for await (const list of readContent(input, path, page)) yield await reading.read(list);
  yield reading.end();
}

interface PageContext {
  readonly file: PageFile;
  readonly page: Page;
  readonly conversation: Conversation | undefined;
  attachments(names: readonly string[]): Promise<Attachment[]>;
}

class Reading {
  readonly #context: PageContext;
  readonly #identity = new RowIdentity();
  readonly #counts = new CountedProblems(notMigrated);
  #row = 0;
  #isCutOff = false;

  constructor(context: PageContext) {
    this.#context = context;
  }

  begin(): Entry[] {
    const { file, page, conversation } = this.#context;
    if (!conversation) return [];
    const at = { path: file.path };
    const entries: Entry[] = [];
    for (const record of readRecords(conversation, page, file.owner)) entries.push(recordEntry(record, at));
    const { id, name, members } = conversation;
    for (const one of [...(name === id ? [name] : []), ...members.flatMap((member) => nameOfId(member) ?? [])]) {
      const reason = `Nothing says which number "${one}" has: the name stands for it`;
      entries.push(problemEntry('googlevoice-no-number', reason, at, [id]));
    }
    if (page.labels.includes('spam'))
      entries.push(problemEntry('googlevoice-spam', 'The page is labelled as spam, or in the folder Spam', at));
    return entries;
  }

  async read(list: readonly FoundElement[]): Promise<Entry[]> {
    const into: Entry[] = [];
    for (const found of list) {
      const location = { path: this.#context.file.path, line: found.line };
      const begin = into.length;
      try {
        await this.#add(found, location, into);
      } catch (error) {
        invalidRow(error, { into, begin, location, conversation: this.#context.conversation?.id });
      }
    }
    return into;
  }

  end(): Entry[] {
    const entries: Entry[] = [];
    const { file, page } = this.#context;
    const { path } = file;
    if (!page.isWhole && !this.#isCutOff) entries.push(this.#cutOff({ path }));
    for (const label of new Set(page.labels))
      if (!knownLabels.has(label)) this.#counts.add(notMigrated, `labels "${label}"`);
    this.#counts.end(path, entries);
    return entries;
  }

  #cutOff(location: Location): Entry {
    this.#isCutOff = true;
    const reason = 'Cannot read the file from here on: the page ends before it is closed';
    return invalidEntry('googlevoice-cut-off', reason, location, this.#context.conversation?.id);
  }

  async #add({ element, fault }: FoundElement, location: Location, into: Entry[]): Promise<void> {
    const { file, page, conversation, attachments } = this.#context;
    const isCall = hasClass(element, 'haudio');
    if (fault === 'cut-off') return void into.push(this.#cutOff(location));
    if (!conversation && isCall) return this.#counts.add(notMigrated, 'calls and voicemails of nobody who is named');
    if (!conversation) {
      const reason = 'Neither the page nor its name says who the other is';
      return void into.push(invalidEntry('googlevoice-no-other', reason, location));
    }
    if (fault === 'too-large') {
      const reason = 'The message is longer than any that is sent';
      return void into.push(invalidEntry('googlevoice-too-long', reason, location, conversation.id));
    }
    const { workspace, owner } = file;
    const sortKey = rowSortKey(0, ++this.#row);
    const place = { workspace, owner, conversation, page, identity: this.#identity, sortKey };
    const read = isCall ? readCall(element, place) : readMessage(element, place);
    if ('code' in read) return void into.push(invalidEntry(read.code, read.reason, location, conversation.id));
    const { record, files, unread } = read;
    if (files.length > 0) record.attachments = await attachments(files);
    this.#counts.add(notMigrated, 'parts of messages that are not known', unread);
    into.push(recordEntry(record, location));
  }
}
