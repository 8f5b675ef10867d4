import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { decideSource } from '../../src/decisions/proposal.ts';
import type { Question } from '../../src/decisions/question.ts';
import { closeOpened, openToAsk } from '../../src/decisions/questions.ts';
import { sharedFolder } from '../requirements.ts';

/** Exports about which `init` asks: samples of tables, and the databases next to the checkout. */

const samples = ['csv', 'json', 'database'].flatMap((source) => {
  const folder = fileURLToPath(new URL(`../../samples/${source}/`, import.meta.url));
  return readdirSync(folder).flatMap((name) => exportIn(join(folder, name)) ?? []);
});

/** The export of a sample; its other files say what is expected. */
function exportIn(folder: string): string | undefined {
  const name = readdirSync(folder).find((entry) => /^export/.test(entry));
  return name && join(folder, name);
}

const forms = ['app.sqlite', 'sqlite.sql', 'pg_dump.sql', 'postgres.sql'];
const shared = sharedFolder('schemas');
const databases = ['', 'real'].flatMap((part) => {
  const folder = join(shared ?? '', part);
  if (shared === null) return [];
  return readdirSync(folder).flatMap((name) => {
    const form = forms.find((file) => existsSync(join(folder, name, file)));
    return form === undefined ? [] : [join(folder, name, form)];
  });
});

export const askedExports: readonly string[] = [...samples, ...databases];

/**
 * Asks everything about an export.
 *
 * @param pick Index of the reading that answers each question; the last one if there are fewer.
 */
export async function askAll(path: string, pick: number): Promise<readonly Question[]> {
  const opened = await openToAsk([path], undefined);
  const asked: Question[] = [];
  try {
    await decideSource(
      opened,
      {},
      {
        advisor: {
          async decide(question) {
            asked.push(question);
            const { key, readings } = question;
            const taken = readings[Math.min(pick, readings.length - 1)];
            return taken && { key, value: taken.value };
          },
          refuse() {},
        },
      },
    );
  } finally {
    await closeOpened(opened);
  }
  return asked;
}
