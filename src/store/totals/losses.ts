import type { Database } from 'better-sqlite3';

/** Properties of a conversation, apart from its messages, that may be lost. */
export interface LossConversation {
  readonly id: number;
  readonly type: string;
  readonly receiverType: string;
  /** The two people of a one-to-one chat. */
  readonly personA: number | null;
  readonly personB: number | null;
  readonly isArchived: boolean;
  readonly hasCreator: boolean;
  readonly hasOwner: boolean;
  readonly hasName: boolean;
  readonly hasTopic: boolean;
  readonly hasDescription: boolean;
}

type Flag = 0 | 1;

/** Yields every conversation of the store, one at a time: the database is busy until the iteration ends. */
export function* lossConversations(db: Database): Generator<LossConversation> {
  const given = (key: string) => `coalesce(record ->> '$.${key}', '') <> ''`;
  const rows = db
    .prepare<[], readonly [number, string, string, number | null, number | null, Flag, Flag, Flag, Flag, Flag, Flag]>(
      `SELECT id, type, receiver_type, person_a, person_b, coalesce(record ->> '$.isArchived', 0), ${given('creator')},
         details ->> '$.owner' IS NOT NULL, ${given('name')}, ${given('topic')}, ${given('description')} FROM conversation`,
    )
    .raw();
  for (const [id, type, receiverType, personA, personB, ...flags] of rows.iterate()) {
    const [archived, creator, owner, name, topic, description] = flags;
    yield {
      id,
      type,
      receiverType,
      personA,
      personB,
      isArchived: archived === 1,
      hasCreator: creator === 1,
      hasOwner: owner === 1,
      hasName: name === 1,
      hasTopic: topic === 1,
      hasDescription: description === 1,
    };
  }
}

/** How many people have what the service cannot hold. */
export interface LossPeople {
  readonly total: number;
  /** Owners and admins. */
  readonly officers: number;
  readonly guests: number;
  readonly deleted: number;
  readonly placeholders: number;
  readonly emails: number;
  /** With a login name that differs from the name that is shown. */
  readonly handles: number;
}

export function countLossPeople(db: Database): LossPeople {
  const sum = (condition: string) => `coalesce(sum(coalesce(${condition}, 0)), 0)`;
  return db
    .prepare<[], LossPeople>(
      `SELECT count(*) AS total, ${sum(`record ->> '$.role' IN ('owner', 'admin')`)} AS officers,
         ${sum(`record ->> '$.role' IN ('guest', 'single-conversation-guest')`)} AS guests,
         ${sum(`record ->> '$.isDeleted'`)} AS deleted, ${sum('is_placeholder')} AS placeholders,
         ${sum(`record ->> '$.email' <> ''`)} AS emails,
         ${sum(`record ->> '$.handle' <> record ->> '$.name'`)} AS handles FROM person`,
    )
    .get()!;
}
