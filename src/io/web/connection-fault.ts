import { tlsFault } from '../../lib/tls-faults.ts';
import { refusedAddress } from './guarded-agent.ts';

const words: Readonly<Record<string, string>> = {
  [refusedAddress]: 'its name leads to this machine or to a private network',
  ENOTFOUND: 'its host does not exist',
  EAI_AGAIN: 'its host could not be looked up',
  ECONNREFUSED: 'its host refused the connection',
  ECONNRESET: 'its host cut the connection',
  EPIPE: 'its host cut the connection',
  UND_ERR_SOCKET: 'its host cut the connection',
  UND_ERR_CONNECT_TIMEOUT: 'its host did not answer',
  UND_ERR_HEADERS_TIMEOUT: 'its host did not answer',
  UND_ERR_BODY_TIMEOUT: 'its host stopped sending',
  UND_ERR_HEADERS_OVERFLOW: 'its host sent too many headers',
  HPE_HEADER_OVERFLOW: 'its host sent too many headers',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its host sent another length than it announced',
  ETIMEDOUT: 'its host did not answer',
  ENETUNREACH: 'its host cannot be reached from here',
  EHOSTUNREACH: 'its host cannot be reached from here',
};

/** Why a request failed, by codes alone: messages may quote what a server sent. */
export function connectionWords(error: unknown): string {
  const code = nodeErrorCode(error);
  if (code === undefined) return 'the connection failed';
  return (Object.hasOwn(words, code) ? words[code] : tlsFault(code)?.words) ?? `the connection failed (${code})`;
}

export const isRefusedAddress = (error: unknown): boolean => nodeErrorCode(error) === refusedAddress;

function nodeErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
