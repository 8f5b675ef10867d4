import { googlechat } from '../../../src/sources/googlechat/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(googlechat);
