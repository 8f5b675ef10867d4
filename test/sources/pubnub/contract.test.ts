import { pubnub } from '../../../src/sources/pubnub/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(pubnub);
