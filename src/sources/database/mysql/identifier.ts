/** As a statement names it: `` `user` ``. */
export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
