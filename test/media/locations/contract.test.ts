import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLocation } from '../../../src/media/open-location.ts';
import { bucketPlace } from '../../../src/media/locations/bucket-place.ts';
import { readBucketKeys } from '../../../src/media/locations/credentials.ts';
import { BucketLocation } from '../../../src/media/locations/s3.ts';
import { describeMediaLocation } from '../../contracts/media-location.ts';
import { bucketKeys, StrictBucket } from '../../scenes/strict-bucket.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const folders = temporaryFolderInMemory();
const rules = { key: '{sha256}{ext}', region: 'us-east-1' };

describeMediaLocation('a folder', {
  async open() {
    const folder = folders.make();
    const location = await openLocation({ ...rules, to: folder, address: 'https://files.example.com' }, { env: {} });
    const pathOf = (key: string) => join(folder, key);
    return {
      location,
      look: (key) => (existsSync(pathOf(key)) ? { bytes: readFileSync(pathOf(key)) } : undefined),
    };
  },
  keepsTypes: false,
  largeBytes: 300_000,
});

describeMediaLocation('a bucket', {
  async open() {
    const bucket = new StrictBucket();
    const place = bucketPlace({ ...rules, to: 's3://files/chat', endpoint: await bucket.serve() });
    // As large files are put, without so many bytes.
    const location = new BucketLocation(place, readBucketKeys(undefined, bucketKeys), {
      partsFromBytes: 100_000,
      partBytes: 65_536,
    });
    return {
      location,
      look(key) {
        const kept = bucket.objects.get(`chat/${key}`);
        if (!kept) return undefined;
        const { 'content-type': contentType, 'content-disposition': disposition } = kept.headers;
        return { bytes: kept.bytes, ...(contentType && { contentType }), ...(disposition && { disposition }) };
      },
    };
  },
  keepsTypes: true,
  largeBytes: 300_001,
});
