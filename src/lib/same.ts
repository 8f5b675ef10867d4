/** `true` if values of both types can stand for each other: holds a schema to the type that is written by hand. */
export type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
