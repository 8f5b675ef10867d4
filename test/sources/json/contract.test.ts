import { json } from '../../../src/sources/json/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(json);
