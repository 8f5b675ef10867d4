import { line } from '../../../src/sources/line/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(line);
