import { talkjs } from '../../../src/sources/talkjs/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(talkjs);
