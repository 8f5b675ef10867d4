import { livechat } from '../../../src/sources/livechat/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(livechat);
