/** The functions of something, as members of an object that know theirs. */
type Bound<Of, Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (of: Of, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/**
 * Gives functions their first argument: `bind(db, { countRows }).countRows(7)` is `countRows(db, 7)`. So the database stays inside of the
 * folder, and statements stay where what they are about is.
 */
export function bind<Of, Functions extends Readonly<Record<string, (of: Of, ...rest: never[]) => unknown>>>(
  of: Of,
  functions: Functions,
): Bound<Of, Functions> {
  const bound: Record<string, unknown> = {};
  for (const [name, run] of Object.entries(functions)) bound[name] = run.bind(undefined, of);
  return bound as Bound<Of, Functions>;
}

/** A class as a function: for `bind`. */
export const made =
  <Of, Rest extends readonly unknown[], Made>(make: new (of: Of, ...rest: Rest) => Made) =>
  (of: Of, ...rest: Rest): Made =>
    new make(of, ...rest);
