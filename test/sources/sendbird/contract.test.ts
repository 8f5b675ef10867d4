import { sendbird } from '../../../src/sources/sendbird/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(sendbird);
