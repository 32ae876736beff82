/** `text`: values that an analyzer makes into terms. */
import type { JsonValue } from '../../util/json/json-value.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import type { FieldKind } from './field-kind.ts'
import { booleanParameter, integerParameter } from './field-parameter.ts'
import { boost, checkSimilarity, index, meta, similarity, store } from './shared-parameters.ts'
import {
  addText,
  checkAnalyzers,
  derivedText,
  type TextField,
  textField,
  tokenStorage,
} from './text-field.ts'
import { refuseTextObject } from './text-object.ts'
import {
  ANALYZERS,
  fielddataFrequencyFilter,
  indexOptions,
  indexPrefixes,
  norms,
  termVector,
} from './text-parameters.ts'

/** The field type `text`. */
export const text: FieldKind<TextField<'text'>> = {
  parameters: [
    index,
    store,
    indexOptions,
    norms,
    termVector,
    ...ANALYZERS,
    similarity,
    integerParameter('position_increment_gap', 100, 0, false),
    booleanParameter('fielddata', false, { updateable: true }),
    fielddataFrequencyFilter,
    booleanParameter('eager_global_ordinals', false, { updateable: true }),
    booleanParameter('index_phrases', false),
    indexPrefixes,
    boost,
    meta,
  ],
  rules: [checkAnalyzers, checkSimilarity, checkGap, checkDerived],
  build(name, values) {
    const given = values.value('index_prefixes')
    const chars = (key: string): number => Number(given instanceof Map ? given.get(key) : 0)
    return {
      ...textField('text', name, values),
      boost: values.number('boost', 1),
      prefixes:
        given === null
          ? null
          : { name: `${name}._index_prefix`, min: chars('min_chars'), max: chars('max_chars') },
      shingles: values.flag('index_phrases') ? [{ name: `${name}._index_phrase`, size: 2 }] : [],
    }
  },
  derive(field) {
    const { prefixes, shingles } = field
    const derived = shingles.map(({ name, size }) =>
      derivedText(field, name, { kind: 'shingles', size }),
    )
    if (prefixes !== null) {
      const { name, min, max } = prefixes
      const beginnings = derivedText(field, name, { kind: 'prefixes', min, max })
      derived.push({ ...beginnings, indexOptions: 'docs', norms: false, prefixes: null })
    }
    return derived
  },
  storage: tokenStorage,
  addValue: addText,
  refuseObject: refuseTextObject,
}

function checkGap(name: string, given: ReadonlyMap<string, JsonValue>): void {
  if (given.has('position_increment_gap') && !hasPositions(given))
    throw mapperParsingError(
      `Cannot set position_increment_gap on field [${name}] without positions enabled`,
    )
}

function checkDerived(name: string, given: ReadonlyMap<string, JsonValue>): void {
  const hasPhrases = given.get('index_phrases') === true
  if (given.get('index') === false) {
    if (given.has('index_prefixes'))
      throw mapperParsingError(`Cannot set index_prefixes on unindexed field [${name}]`)
    if (hasPhrases)
      throw mapperParsingError(`Cannot set index_phrases on unindexed field [${name}]`)
  }
  if (hasPhrases && !hasPositions(given))
    throw mapperParsingError(
      `Cannot set index_phrases on field [${name}] if positions are not enabled`,
    )
}

function hasPositions(given: ReadonlyMap<string, JsonValue>): boolean {
  const options = given.get('index_options') ?? 'positions'
  return given.get('index') !== false && (options === 'positions' || options === 'offsets')
}
