/** `1234567` as `1,234,567`: how every count is written that a person reads. Without `Intl`, which takes 10 ms to load. */
export function formatCount(count: number | bigint): string {
  const whole = typeof count === 'number' ? Math.round(count) : count;
  return whole.toString().replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 message`, `1,234 messages`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
