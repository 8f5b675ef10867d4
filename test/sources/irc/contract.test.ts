import { irc } from '../../../src/sources/irc/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(irc);
