import { stream } from '../../../src/sources/stream/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(stream);
