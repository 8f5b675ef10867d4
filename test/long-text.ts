/**
 * One piece, repeated so often that quadratic time would not end within a test's timeout of 240 s. A test that uses it needs no clock: it checks the result.
 *
 * A reader that goes on to the end of the text from every piece reads 3.1e12 characters. Regular expressions need 0.9 ns or more for one, 45 minutes for all.
 * Linear time is about 50 ms.
 */
export const longText = (piece: string): string => piece.repeat(Math.ceil(2_500_000 / Math.sqrt(piece.length)));

/**
 * The same, but fewer pieces, for a reader that makes something of each and needs a microsecond for it. If it compared each with all before it, that would
 * be 4.5e10 steps. With a callback of 6 ns in each, that takes longer than the timeout too.
 */
export const manyPieces = (piece: string): string => piece.repeat(300_000);
