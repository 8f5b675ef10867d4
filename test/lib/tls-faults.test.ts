import { describe, expect, it } from 'vitest';
import { tlsFault } from '../../src/lib/tls-faults.ts';
import { classifyFault } from '../../src/service/classify.ts';

describe('tlsFault()', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'has expired', 'renew it'],
    ['CERT_NOT_YET_VALID', 'not valid yet', 'clock'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'is self-signed', 'NODE_EXTRA_CA_CERTS=cert.pem'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'an authority that this machine does not know', 'NODE_EXTRA_CA_CERTS=ca.pem'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'not signed by any authority that this machine knows', 'certificates between'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'for another name', 'Check the address'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'this port speaks http', 'Check the port'],
  ])('says of %s that it is %j, and what to do', (code, words, hint) => {
    expect(tlsFault(code)?.words).toContain(words);
    expect(tlsFault(code)?.hint).toContain(hint);
    const judged = classifyFault(Object.assign(new Error('code 14:0A00010B:SSL routines'), { code }));
    expect(judged).toMatchObject({ code, detail: tlsFault(code)!.words, hint: tlsFault(code)!.hint });
  });

  it('knows nothing of other faults', () => {
    expect(tlsFault('ECONNREFUSED')).toBeUndefined();
    expect(tlsFault('constructor')).toBeUndefined();
  });
});
