import { readFileSync, statSync } from 'node:fs';
import { UsageError } from '../lib/errors.ts';
import { Secret } from '../lib/secret.ts';

/** Shorter ones can be guessed from one signed notice. */
const lengthMin = 16;

const hint = 'Make one with: openssl rand -hex 32';

/**
 * The secrets that notices are signed with: from a file that only its owner may read, a secret a line, or one from
 * CHATFERRY_WEBHOOK_SECRET. Two at most: the old one and the new one, while receivers change over.
 *
 * @throws UsageError where there is none, or where others may read it.
 */
export function readWebhookSecrets(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): readonly Secret[] {
  const text = file === undefined ? (env.CHATFERRY_WEBHOOK_SECRET ?? '') : readSecretFile(file);
  const lines = text.split(/\r?\n/).flatMap((line) => line.trim() || []);
  const place = file === undefined ? 'CHATFERRY_WEBHOOK_SECRET' : `"${file}"`;
  if (lines.length === 0) throw usage(`${place} holds none`, 'Set sync.webhook.secretFile, or that variable');
  if (lines.length > 2) throw usage(`${place} holds ${lines.length}, expected one, or two while they change`);
  if (lines.some((line) => line.length < lengthMin)) {
    throw usage(`${place} holds one shorter than ${lengthMin} characters`);
  }
  return lines.map((line) => new Secret(line));
}

function readSecretFile(file: string): string {
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw usage(`others may read "${file}"`, `Run: chmod 600 ${file}`);
    }
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw usage(`"${file}": ${(cause as NodeJS.ErrnoException).code}`, hint, cause);
  }
}

const usage = (reason: string, help = hint, cause?: unknown) =>
  new UsageError(`Cannot read the secret of the webhook: ${reason}`, { hint: help, cause });
