import { ChatferryError } from '../../lib/errors.ts';
import type { Failure } from './outcome.ts';

/** What a fault of the network proves about its request. */
export interface JudgedFault extends Failure {
  /** `unsent`: no byte of the request left. `unverified`: the same, and TLS says the other side is not whom we asked for. */
  readonly meaning: 'unsent' | 'unverified' | 'unknown';
}

/** Codes of a connection that never came about. A request waits for its connection, so nothing was sent. */
const unsentCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
]);

/** OpenSSL's names for a certificate that does not hold (X509_V_ERR_…, as Node spells them). */
const certificateCode =
  /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(?:GET_|VERIFY_|DECODE_|DECRYPT_)|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$)/;

/**
 * Judges what a transport rejected with.
 *
 * @throws the fault itself if it is no fault of the network but a mistake in this program, or already one of our own errors.
 */
export function judgeFault(fault: unknown): JudgedFault {
  if (!(fault instanceof Error) || isOurs(fault)) throw fault;
  const code = codeOf(fault);
  const detail = `${fault.message || fault.name}`.slice(0, 500);
  if (certificateCode.test(code)) {
    return {
      meaning: 'unverified',
      code,
      detail,
      hint: 'NODE_EXTRA_CA_CERTS adds a certificate authority of your own',
    };
  }
  return { meaning: isUnsent(fault, code) ? 'unsent' : 'unknown', code, detail };
}

/** Programming mistakes are of these classes; faults of sockets and parsers are not. */
function isOurs(fault: Error): boolean {
  if ('code' in fault && fault.code === 'UND_ERR_INVALID_ARG') return true;
  return [ChatferryError, TypeError, RangeError, ReferenceError].some((known) => fault instanceof known);
}

function isUnsent(fault: Error, code: string): boolean {
  return unsentCodes.has(code) || ('syscall' in fault && fault.syscall === 'connect');
}

/** Node's or undici's code; several addresses tried in vain are an AggregateError, which has the code of the first. */
function codeOf(fault: Error): string {
  if ('code' in fault && typeof fault.code === 'string') return fault.code;
  const [first] = fault instanceof AggregateError ? fault.errors : [];
  if (first instanceof Error) return codeOf(first);
  return fault.name === 'AbortError' || fault.name === 'TimeoutError' ? 'aborted' : fault.name;
}
