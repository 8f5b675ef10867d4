import type { RateClass } from './operation.ts';

/**
 * Requests per minute that the public service allows, by class (rate limit page, 2026-11): all operations of a class together,
 * of `send` those of one sender. The specification shows no rates.
 */
export const publicRatesPerMinute: Readonly<Record<RateClass, number>> = {
  import: 60,
  core: 10_000,
  standard: 20_000,
  send: 30,
};
