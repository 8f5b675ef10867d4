import { isNightly } from './tier.ts';

/** The nightly reads texts that are four times as long. */
const share = isNightly ? 1 : 1 / 4;

/**
 * One piece, repeated up to a million characters, a quarter of them in `npm test`. A test that uses it needs no clock: it checks the result.
 *
 * A reader that goes on to the end of the text from every character takes 5e11 steps. Regular expressions need 0.9 ns or more for one, so that
 * takes 7 minutes, 28 s in `npm test`: more than `linear` allows. Longer pieces take an nth of it. Linear time is about 20 ms. Ten times as long a
 * text would not fit into the 64 MiB that V8 gives the regular expression for going back, and whether it does depends on how V8 compiled it.
 */
export const longText = (piece: string): string => piece.repeat(Math.ceil((share * 1_000_000) / piece.length));

/**
 * The same, but fewer pieces, for a reader that makes something of each and needs a microsecond for it. If it compared each with all before it, that would
 * be 4.5e10 steps, 2.8e9 in `npm test`. With a callback of 6 ns in each, that takes longer than `linear` allows too.
 */
export const manyPieces = (piece: string): string => piece.repeat(pieceCount);

/** An even number. */
export const pieceCount = share * 300_000;

/** The options of a test that uses them: how long it may take. */
export const linear = { timeout: isNightly ? 240_000 : 12_000 };
