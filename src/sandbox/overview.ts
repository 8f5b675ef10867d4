import { checkOwner } from '../lib/migrations.ts';
import { openDatabase } from '../lib/sqlite.ts';
import { Groups } from './data/groups.ts';
import type { MessageRow } from './data/message-json.ts';
import { People } from './data/people.ts';
import { Queries } from './data/queries.ts';
import { Reactions } from './data/reactions.ts';
import { Relations } from './data/relations.ts';
import { showMessages } from './data/show-messages.ts';
import { sandboxData } from './store.ts';
import { GroupList, type ListedGroup } from './data/overview/group-list.ts';
import { History } from './data/overview/history.ts';
import { Persons } from './data/overview/persons.ts';
import { RepliesIndex } from './data/overview/replies.ts';
import { type Found, searchTexts, type TextSearch } from './data/overview/search.ts';
import { Summaries, type Summary } from './data/overview/summaries.ts';

export type { ListedGroup, MessageRow, Summary };

/**
 * Content of a sandbox, for a person who looks at it: read by a connection of its own that cannot write, next to the
 * process that serves or fills the file.
 */
export class Overview {
  readonly summaries: Summaries;
  readonly history: History;
  readonly replies: RepliesIndex;
  readonly persons: Persons;
  readonly groups: GroupList;
  readonly #queries: Queries;
  readonly #close: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** @throws StoreError if there is no such file, or it is no sandbox's. */
  constructor(path: string) {
    const db = openDatabase(path, { readonly: true });
    try {
      checkOwner(db, path, sandboxData);
      this.#queries = new Queries(db);
      this.summaries = new Summaries(db, this.#queries);
      this.history = new History(this.#queries);
      this.replies = new RepliesIndex(this.#queries);
      this.persons = new Persons(this.#queries);
      this.groups = new GroupList(this.#queries);
    } catch (error) {
      db.close();
      throw error;
    }
    this.#close = () => db.close();
  }

  /** Takes in what has arrived. Longer work continues in small steps, between other work. */
  refresh(): void {
    this.summaries.refresh();
    this.#goOn();
  }

  #goOn(): void {
    if (this.#timer || !this.replies.advance(this.summaries.newest)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#goOn();
    }, 5);
    this.#timer.unref();
  }

  search(search: TextSearch): Found {
    return searchTexts(this.#queries, search);
  }

  /** Returns messages as the service answers them to a client that lists them with a key: each as JSON. */
  answered(rows: readonly MessageRow[]): string[] {
    const queries = this.#queries;
    // Earlier instances may have stale caches, so each call makes new ones.
    const around = {
      people: new People(queries),
      groups: new Groups(queries),
      reactions: new Reactions(queries),
      relations: new Relations(queries),
    };
    return showMessages(around, rows, {});
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#close();
  }
}
