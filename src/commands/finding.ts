import { exitCodes } from '../model/exit-codes.ts';

/** One line of an examination. What is not good says what to do; what is bad, how an import would end. */
export type Finding = { readonly name: string; readonly says: string } & (
  | { readonly level: 'good' }
  | { readonly level: 'warn'; readonly todo: string }
  | { readonly level: 'bad'; readonly todo: string; readonly exit: BadExit }
);

/** Which exit code an import that meets this would end with. */
type BadExit = typeof exitCodes.usage | typeof exitCodes.source | typeof exitCodes.stopped | typeof exitCodes.store;

export const good = (name: string, says: string): Finding => ({ name, level: 'good', says });
export const warn = (name: string, says: string, todo: string): Finding => ({ name, level: 'warn', says, todo });
export const bad = (name: string, says: string, todo: string, exit: BadExit): Finding => ({
  name,
  level: 'bad',
  says,
  todo,
  exit,
});

/** The first that applies, as for every command: store, usage, export, destination; 0 where nothing is bad. */
const precedence = [exitCodes.store, exitCodes.usage, exitCodes.source, exitCodes.stopped] as const;

export function exitOfFindings(findings: readonly Finding[]): number {
  const exits = findings.flatMap((finding) => (finding.level === 'bad' ? [finding.exit] : []));
  return precedence.find((exit) => exits.includes(exit)) ?? exitCodes.done;
}
