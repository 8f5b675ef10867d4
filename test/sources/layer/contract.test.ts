import { layer } from '../../../src/sources/layer/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(layer);
