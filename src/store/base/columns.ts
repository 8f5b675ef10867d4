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
