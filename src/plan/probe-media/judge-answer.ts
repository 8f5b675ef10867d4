import type { MediaCode } from '../../mapping/checks/attachments.ts';
import type { AddressAnswer } from './ask-address.ts';

/** What an answer means for a file of the announced type; nothing where the file is there. */
export function judgeAnswer(
  answer: AddressAnswer,
  announcedType: string,
): { readonly code: MediaCode; readonly words: string } | undefined {
  if (answer.kind === 'unreachable') return { code: 'attachment-unreachable', words: answer.why };
  const { status, contentType } = answer;
  const words = `answered ${status}`;
  if (status === 401 || status === 403 || status === 407) return { code: 'attachment-login-page', words };
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { code: 'attachment-unreachable', words };
  if (status >= 400) return { code: 'attachment-dead', words };
  if (status >= 300 || status < 200) return { code: 'attachment-unreachable', words };
  return isPage(contentType) && isKnownNonPage(announcedType)
    ? { code: 'attachment-login-page', words: `answered with a page instead of ${announcedType.slice(0, 60)}` }
    : undefined;
}

const isPage = (type: string): boolean => /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type);

/** A type that says nothing may well be that of a page. */
const isKnownNonPage = (type: string): boolean => type !== '' && type !== 'application/octet-stream' && !isPage(type);
