import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPage } from '../../../src/cli/terminal/open-page.ts';
import { fakeService } from '../../cli/fake-service.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it.skipIf(process.platform === 'win32')('openPage() starts the program in BROWSER with the address', async () => {
  const asked = Promise.withResolvers<string>();
  const service = await fakeService(({ url }, response) => {
    response.end();
    asked.resolve(url!);
  });
  const browser = join(home.make(), 'browser');
  const script = `#!/bin/sh\nexec '${process.execPath}' --eval 'fetch(process.argv[1])' "$1"\n`;
  writeFileSync(browser, script, { mode: 0o755 });
  openPage(`${service.url}/viewer?open=1`, { BROWSER: browser });
  expect(await asked.promise).toBe('/viewer?open=1');
});
