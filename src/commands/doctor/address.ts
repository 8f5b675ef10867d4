import { formatDuration } from '../../report/render/format.ts';
import { exitCodes } from '../../report/exit-codes.ts';
import type { Asked } from './ask.ts';
import { bad, type Finding, good, warn } from './finding.ts';

/** Whether a chat service answers at an address. Whether the key is good is another question. */
export function judgeAddress(name: string, look: Asked): Finding {
  const { outcome, byService, tookMs, attempts } = look;
  if (byService) {
    const says = `A chat service answers at ${name} (${formatDuration(tookMs)}${protection(name)})`;
    const isFailing = outcome.kind === 'failed' && (outcome.why === 'retry' || outcome.why === 'rate-limited');
    return attempts === 1 || isFailing
      ? good('address', says)
      : warn(
          'address',
          `${says}, at the ${attempts}. attempt only`,
          'Look at the gateway before it; an import repeats what fails',
        );
  }
  if (outcome.kind === 'answered') throw new Error('a listing is an answer of the service');
  const { code, detail, hint } = outcome;
  const says =
    outcome.status === undefined
      ? `Nobody answers at ${name}: ${code}: ${detail}`
      : `Something answers at ${name}, and not as the chat service does: ${code}: ${detail}`;
  return bad('address', says, hint ?? todoFor(look), exitCodes.stopped);
}

const todoFor = ({ outcome }: Asked): string =>
  outcome.kind === 'failed' && outcome.status === undefined
    ? 'Check --to, the network and the proxy; is the service up?'
    : 'Check --to: it is the address before /v3; a gateway or a login page may stand before it';

const protection = (name: string): string => (name.startsWith('http:') ? ', unencrypted, on this machine' : ', TLS');
