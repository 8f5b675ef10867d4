import { gorgias } from '../../../src/sources/gorgias/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(gorgias);
