import { rocketchat } from '../../../src/sources/rocketchat/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(rocketchat);
