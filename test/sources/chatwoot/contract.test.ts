import { chatwoot } from '../../../src/sources/chatwoot/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(chatwoot);
