import { afterEach, describe, expect, it, vi } from 'vitest';
import { programs } from '../../fleet/postgres.ts';
import { findingsOf } from '../../scenes/doctor-fixture.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { testDatabase } from './postgres-databases.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = home.path;
afterEach(() => void vi.unstubAllEnvs());

describe.skipIf(programs === null)('the doctor, asked about a PostgreSQL', () => {
  async function look(password: string) {
    const { shown, sql } = await testDatabase('CREATE TABLE message (id int); GRANT SELECT ON message TO reader');
    await sql('REVOKE pg_read_all_stats FROM reader');
    vi.stubEnv('PGPASSWORD', password);
    const url = shown.replace('//', '//reader@');
    const { all } = await findingsOf(home.make(), 'sandbox', { exports: [url] });
    const [finding, ...others] = all.filter(({ name }) => name === 'export');
    return { shown, finding, others };
  }

  it('connects, counts the tables that the role may read, and says that it may not see transactions', async () => {
    const { shown, finding, others } = await look('pass');
    const says = expect.stringMatching(/the role "reader" may not see .*GRANT pg_read_all_stats TO "reader"/);
    expect(others).toMatchObject([{ level: 'warning', says }]);
    expect(finding).toMatchObject({ level: 'ok', says: `${shown} answers: PostgreSQL, 1 table to read` });
  });

  it('says that the password is wrong, and never which', async () => {
    const { finding } = await look('wr0ng-word');
    expect(finding).toMatchObject({ level: 'error', says: expect.stringContaining('refused user and password') });
    expect(JSON.stringify(finding)).not.toContain('wr0ng-word');
  });
});
