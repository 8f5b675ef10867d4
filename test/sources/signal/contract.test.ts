import { signal } from '../../../src/sources/signal/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(signal);
