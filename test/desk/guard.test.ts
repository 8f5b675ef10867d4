import { describe, expect, it } from 'vitest';
import { refuseWrite } from '../../src/desk/answers/routes.ts';

const own = {
  host: '127.0.0.1:4000',
  origin: 'http://127.0.0.1:4000',
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  'x-chatferry': 'desk',
};

describe('refuseWrite()', () => {
  it('lets a request of the page through', () => {
    expect(refuseWrite({ headers: own })).toBeUndefined();
  });

  it.each(['application/octet-stream', 'text/csv'])('lets a body of %s through, as the page sends it', (type) => {
    expect(refuseWrite({ headers: { ...own, 'content-type': type } })).toBeUndefined();
  });

  it.each([
    ['of another origin', { origin: 'http://evil.example' }],
    ['of another port of this machine', { origin: 'http://127.0.0.1:4001' }],
    ['of another name of this machine', { origin: 'http://localhost:4000' }],
    ['of a page without an origin', { origin: 'null' }],
    ['that names no origin', { origin: undefined }],
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another port, as browsers say it', { 'sec-fetch-site': 'same-site' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
    ['of something that is no browser', { 'sec-fetch-site': undefined }],
    ['without the header of our own', { 'x-chatferry': undefined }],
    ['that a form can send', { 'content-type': 'text/plain' }],
    ['without a type', { 'content-type': undefined }],
  ])('refuses one %s', (_, changed) => {
    const headers = Object.fromEntries(
      Object.entries({ ...own, ...changed }).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    expect(refuseWrite({ headers })).toMatch(/^The desk /);
  });
});
