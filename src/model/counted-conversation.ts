/** A conversation of an export with what people wrote in it. */
export interface CountedConversation {
  readonly id: string;
  /** Empty if the export has none. */
  readonly name: string;
  /** Its name, its first members, or its id. */
  readonly title: string;
  /** Null if the export does not describe it. */
  readonly type: 'direct' | 'group-direct' | 'private' | 'public' | null;
  readonly members: number | null;
  readonly messages: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
  /** Messages over time: equal spans from the first message of all conversations to the last. */
  readonly bins: readonly number[];
}
