import { UsageError } from '../../lib/errors.ts';
import { readPrivateFile } from '../../lib/files/private-file.ts';
import { Secret } from '../../lib/secret.ts';

export interface BucketKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: Secret;
  readonly sessionToken: Secret | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @param file Its keys go before those of the environment. @throws UsageError */
export const readBucketKeys = (file: string | undefined, env: Environment): BucketKeys =>
  file === undefined ? readEnvironmentKeys(env) : readFileKeys(file);

const wanted = 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file with them as media.credentials';

function readEnvironmentKeys(env: Environment): BucketKeys {
  const { AWS_ACCESS_KEY_ID: id = '', AWS_SECRET_ACCESS_KEY: secret = '', AWS_SESSION_TOKEN: token = '' } = env;
  const missing = [id === '' && 'AWS_ACCESS_KEY_ID', secret === '' && 'AWS_SECRET_ACCESS_KEY'].filter(
    (name) => name !== false,
  );
  if (missing.length > 0)
    throw new UsageError(`Cannot use the bucket: ${missing.join(' and ')} not set`, { hint: wanted });
  return checked({ id, secret, token }, 'the environment');
}

const names = { id: 'aws_access_key_id', secret: 'aws_secret_access_key', token: 'aws_session_token' } as const;

/** In the format of ~/.aws/credentials: the section [default], or the first one, or lines without a section. */
function readFileKeys(file: string): BucketKeys {
  const values = parseSection(readPrivateFile(file, 'the keys of the bucket'));
  const missing = [names.id, names.secret].filter((name) => !values.get(name));
  if (missing.length > 0) {
    throw new UsageError(`Cannot read the keys of the bucket: no ${missing.join(' and no ')} in "${file}"`, {
      hint: 'Write lines "aws_access_key_id = …" and "aws_secret_access_key = …"',
    });
  }
  const value = (name: string) => values.get(name) ?? '';
  return checked({ id: value(names.id), secret: value(names.secret), token: value(names.token) }, `"${file}"`);
}

function parseSection(text: string): ReadonlyMap<string, string> {
  const sections = new Map<string, Map<string, string>>();
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) continue;
    if (trimmed.startsWith('[')) {
      section = trimmed.slice(1).split(']')[0]!.trim();
      continue;
    }
    const at = trimmed.indexOf('=');
    if (at < 0) continue;
    const values = sections.get(section) ?? new Map<string, string>();
    sections.set(section, values.set(trimmed.slice(0, at).trim().toLowerCase(), trimmed.slice(at + 1).trim()));
  }
  return sections.get('default') ?? [...sections.values()][0] ?? new Map();
}

/** Visible ASCII: anything else cannot be a header, and was pasted by mistake. Values are not quoted. */
function checked(
  keys: { readonly id: string; readonly secret: string; readonly token: string },
  where: string,
): BucketKeys {
  for (const [name, value] of Object.entries(keys)) {
    if (/^[\x21-\x7e]*$/.test(value)) continue;
    const label = name === 'id' ? 'access key' : name === 'secret' ? 'secret key' : 'session token';
    throw new UsageError(
      `Cannot use the ${label} in ${where}: it has a space, a line break or a character beyond ASCII`,
    );
  }
  return {
    accessKeyId: keys.id,
    secretAccessKey: new Secret(keys.secret),
    sessionToken: keys.token === '' ? undefined : new Secret(keys.token),
  };
}
