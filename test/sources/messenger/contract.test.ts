import { messenger } from '../../../src/sources/meta/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(messenger);
