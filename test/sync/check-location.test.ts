import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { redact } from '../../src/lib/secret.ts';
import { checkLocation } from '../../src/sync/run-job.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { jobsOf } from './fixture.ts';

const home = temporaryFolder();

it('checkLocation() names the tokens of a headers file, and nothing so short that logs would lose their sense', () => {
  const folder = home.make();
  const file = join(folder, 'headers');
  writeFileSync(file, 'Authorization: Bearer t0ken-of-the-vendor\nX-Tenant: 7\nCookie: sid=abcdefgh12; b=1\n', {
    mode: 0o600,
  });
  const [job] = jobsOf(
    folder,
    `jobs: [{ name: a, to: sandbox, export: { url: 'https://a.example/x.zip', headersFile: ${file} } }]`,
  );
  const secrets = checkLocation(job!.config.export, {});
  expect(redact('support-17: t0ken-of-the-vendor, abcdefgh12, Bearer t0ken-of-the-vendor', secrets)).toBe(
    'support-17: [redacted], [redacted], [redacted]',
  );
});
