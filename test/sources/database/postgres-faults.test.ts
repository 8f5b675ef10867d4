import { describe, expect, it } from 'vitest';
import { SourceError, UsageError } from '../../../src/lib/errors.ts';
import { parseDatabaseAddress } from '../../../src/sources/database/address/address.ts';
import { DatabaseUnreachable } from '../../../src/sources/database/address/unreachable.ts';
import { postgresFault } from '../../../src/sources/database/postgres/faults.ts';

const address = parseDatabaseAddress('postgres://somebody@db/app', {});
const attempt = { address, passwordPlace: 'PGPASSWORD', takesVariable: true, patienceMs: 10_000 };
const faultOf = (error: unknown) => postgresFault(error, attempt);

/** As the server says it, with values of rows in its words. */
const ofServer = (code: string) =>
  Object.assign(new Error('invalid input: "hush"'), { code, detail: 'Key (mail)=(hush)', where: 'hush' });

describe('postgresFault()', () => {
  it.each([
    ['53300', 'no connection left'],
    ['57P03', 'starting or stopping'],
    ['57P01', 'Lost the connection'],
    ['08006', 'Lost the connection'],
    ['40001', 'the standby had to go on'],
    ['55P03', 'locked the table'],
    ['25P03', 'ended a transaction that was idle'],
  ])('says of %s that it may pass', (code, words) => {
    expect(faultOf(ofServer(code))).toBeInstanceOf(DatabaseUnreachable);
    expect((faultOf(ofServer(code)) as Error).message).toContain(words);
  });

  it.each([
    ['28P01', 'refused user and password'],
    ['28000', 'does not let this user in'],
    ['3D000', 'no such database'],
    ['42501', 'has not the right'],
    ['42P01', 'tables changed'],
    ['57014', 'cancelled the statement'],
    ['22P02', 'SQLSTATE 22P02'],
  ])('explains %s, and repeats no word of the server', (code, words) => {
    const fault = faultOf(ofServer(code));
    expect(fault).toBeInstanceOf(SourceError);
    expect(fault).not.toBeInstanceOf(DatabaseUnreachable);
    const { message, hint, cause } = fault as SourceError;
    expect(message).toContain(`Cannot read postgres://db:5432/app: `);
    expect(message).toContain(words);
    expect(`${message} ${hint} ${String(cause)}`).not.toMatch(/hush|somebody/);
  });

  it('says that another password is wanted, if that of the variable is refused', () => {
    const wantedBy = (code: string, takesVariable: boolean) =>
      (postgresFault(ofServer(code), { ...attempt, takesVariable }) as SourceError).wants;
    expect([wantedBy('28P01', true), wantedBy('28P01', false), wantedBy('3D000', true)]).toEqual([
      'other-password',
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['timeout expired', 'no answer within 10 seconds'],
    ['Connection terminated unexpectedly', 'Lost the connection'],
    ['Client has encountered a connection error and is not queryable', 'Lost the connection'],
    ['The server does not support SSL connections', 'offers no encryption'],
    ['SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match', 'could not prove that it knows the password'],
  ])('recognises the driver message "%s"', (driver, words) => {
    expect((faultOf(new Error(driver)) as Error).message).toContain(words);
  });

  it('leaves errors of ours, and faults of ours, as they are', () => {
    for (const error of [new UsageError('no password'), new TypeError('x is not a function')])
      expect(faultOf(error)).toBe(error);
  });
});
