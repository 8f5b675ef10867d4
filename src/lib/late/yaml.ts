export {
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parse,
  parseDocument,
  stringify,
  visit,
} from 'yaml';
