/** Cause of a failed TLS connection, in words, and a remedy. */
export interface TlsFault {
  readonly words: string;
  readonly hint: string;
}

const ownAuthority = 'If you trust it: NODE_EXTRA_CA_CERTS=ca.pem adds the certificate authority that signed it';
const clock = 'The operator of the server must renew it; if it is valid, set the clock of this machine';
const chain = `The server has to send the certificates between its own and the authority. ${ownAuthority}`;

/** By the code of Node's error, as OpenSSL and Node spell them. */
const faults: Readonly<Record<string, TlsFault>> = {
  ERR_SSL_WRONG_VERSION_NUMBER: {
    words: 'this port speaks http, or another protocol, and not https',
    hint: 'Check the port of the address; http:// is taken for this machine only',
  },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    words: 'this port speaks another protocol than https',
    hint: 'Check the port of the address',
  },
  CERT_HAS_EXPIRED: { words: 'the certificate of its host has expired', hint: clock },
  CERT_NOT_YET_VALID: { words: 'the certificate of its host is not valid yet', hint: clock },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    words: 'the certificate of its host is self-signed, so no authority confirms it',
    hint: 'If you trust it: NODE_EXTRA_CA_CERTS=cert.pem, with that certificate, makes it known',
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    words: 'the certificate of its host was signed by an authority that this machine does not know',
    hint: ownAuthority,
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    words: 'the certificate of its host was not signed by any authority that this machine knows',
    hint: chain,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    words: 'the certificate of its host was not signed by any authority that this machine knows',
    hint: chain,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    words: 'the certificate of its host is for another name',
    hint: 'Check the address: it has to be one of the names in the certificate',
  },
  CERT_REVOKED: {
    words: 'the certificate of its host was revoked',
    hint: 'The operator of the server must replace it',
  },
};

export const tlsFault = (code: string): TlsFault | undefined =>
  Object.hasOwn(faults, code) ? faults[code] : undefined;
