/**
 * Whether a host is this machine over its loopback interface.
 *
 * @param host As `URL` spells it (`[::1]`), or as a socket says it: IPv4 may come as IPv6 there, `::ffff:127.0.0.1`.
 */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' ||
  host === '::1' ||
  host === '[::1]' ||
  /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
