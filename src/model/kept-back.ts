/** Alarms of a confirmed reading that keep back the messages which tripped them, with the rule under which these are left out. */
export const keptBackRules = {
  nobody: 'author whom no list of people has',
  'two-in-one': 'author who may be two people',
  cipher: 'text that looks encrypted',
} as const;

export type KeptBack = keyof typeof keptBackRules;
