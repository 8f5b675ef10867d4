/** `true` if each type can be assigned to the other: keeps a schema equal to its hand-written type. */
export type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never;
