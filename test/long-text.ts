/**
 * One piece, repeated up to a million characters. A test that uses it needs no clock: it checks the result.
 *
 * A reader that goes on to the end of the text from every character takes 5e11 steps. Regular expressions need 0.9 ns or more for one, so that
 * takes 7 minutes, and a test ends after 4. Longer pieces take an nth of it. Linear time is about 20 ms. Ten times as long a text would not fit
 * into the 64 MiB that V8 gives the regular expression for going back, and whether it does depends on how V8 compiled it.
 */
export const longText = (piece: string): string => piece.repeat(Math.ceil(1_000_000 / piece.length));

/**
 * The same, but fewer pieces, for a reader that makes something of each and needs a microsecond for it. If it compared each with all before it, that would
 * be 4.5e10 steps. With a callback of 6 ns in each, that takes longer than the timeout too.
 */
export const manyPieces = (piece: string): string => piece.repeat(300_000);
