import { exitCodes } from '../../model/exit-codes.ts';

/** One line of an examination. A warning or an error says what to do; an error also says how an import would end. */
export type Finding = { readonly name: string; readonly says: string } & (
  | { readonly level: 'ok' }
  | { readonly level: 'warning'; readonly todo: string }
  | { readonly level: 'error'; readonly todo: string; readonly exit: BadExit }
);

/** Which exit code an import that meets this would end with. */
type BadExit = typeof exitCodes.usage | typeof exitCodes.source | typeof exitCodes.stopped | typeof exitCodes.store;

export const ok = (name: string, says: string): Finding => ({ name, level: 'ok', says });
export const warning = (name: string, says: string, todo: string): Finding => ({ name, level: 'warning', says, todo });
export const error = (name: string, says: string, todo: string, exit: BadExit): Finding => ({
  name,
  level: 'error',
  says,
  todo,
  exit,
});

/** The first code that applies, as for every command: store, usage, export, destination; 0 if there is no error. */
const precedence = [exitCodes.store, exitCodes.usage, exitCodes.source, exitCodes.stopped] as const;

export function exitOfFindings(findings: readonly Finding[]): number {
  const exits = findings.flatMap((finding) => (finding.level === 'error' ? [finding.exit] : []));
  return precedence.find((exit) => exits.includes(exit)) ?? exitCodes.done;
}
