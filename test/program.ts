import { fileURLToPath } from 'node:url';

/** That of the checkout, which runs the source. */
export const sourceProgram = fileURLToPath(new URL('../bin/chatferry.mjs', import.meta.url));

/**
 * The launcher that tests start in a process of its own. In the long proofs it is that of the package as users get it
 * (`proofs/built-program.ts`), which starts in half the time.
 */
export const program = process.env.CHATFERRY_TEST_PROGRAM ?? sourceProgram;
