/** SQL of a column, and the type of its values, which is there for the compiler alone. */
type Column<Value> = string & { readonly valueType?: { readonly of: Value } };

type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<List extends Columns> = {
  readonly [Name in keyof List]: List[Name] extends Column<infer Value> ? Value : never;
};

/** @param sql A column, or an expression. */
export const column = <Value>(sql: string): Column<Value> => sql as Column<Value>;

export const selectList = (columns: Columns): string =>
  Object.entries(columns)
    .map(([name, sql]) => (sql === name ? sql : `${sql} AS ${name}`))
    .join(', ');

/** How a conversation `c` is shown. The two people of a direct one are joined by `joinPair`. */
export const shownConversation = `c.source_id AS id, c.name,
  iif(c.receiver_type = 'group', 'group ' || c.guid, 'user ' || a.uid || ' + ' || b.uid) AS target`;
export const joinPair = 'LEFT JOIN person a ON a.id = c.person_a LEFT JOIN person b ON b.id = c.person_b';

export interface ShownConversation {
  /** In the export. */
  readonly id: string;
  readonly name: string;
  /** `group engineering` or `user alice + bob`. */
  readonly target: string;
}
