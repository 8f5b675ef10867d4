import { discord } from '../../../src/sources/discord/index.ts';
import { describeSource } from '../../contracts/source.ts';

describeSource(discord);
