/** Made with the first count that needs one: it takes several ms. */
let integers: Intl.NumberFormat | undefined;

/** `1234567` as `1,234,567`: how every count is written that a person reads. */
export function formatCount(count: number | bigint): string {
  integers ??= new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
  return integers.format(count);
}

/** `1 message`, `1,234 messages`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
