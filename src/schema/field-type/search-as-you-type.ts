/** `search_as_you_type`: text of which words in a row and beginnings of those are terms too. */
import { mapperParsingError } from '../mapping-errors.ts'
import type { FieldKind } from './field-kind.ts'
import { type FieldParameter, parameter, parseInteger } from './field-parameter.ts'
import { checkSimilarity, index, meta, similarity, store } from './shared-parameters.ts'
import {
  addText,
  checkAnalyzers,
  derivedText,
  type TextField,
  textField,
  tokenStorage,
} from './text-field.ts'
import { refuseTextObject } from './text-object.ts'
import { ANALYZERS, indexOptions, norms, termVector } from './text-parameters.ts'

/** Longest beginning that is a term, in code points. */
const MAX_PREFIX = 20

const maxShingleSize: FieldParameter = parameter('max_shingle_size', 3, node => {
  const size = parseInteger(node)
  if (size < 2 || size > 4)
    throw mapperParsingError(
      `[max_shingle_size] must be at least [2] and at most [4], got [${size}]`,
    )
  return size
})

/** The field type `search_as_you_type`. */
export const searchAsYouType: FieldKind<TextField<'search_as_you_type'>> = {
  parameters: [
    maxShingleSize,
    index,
    store,
    indexOptions,
    norms,
    termVector,
    ...ANALYZERS,
    similarity,
    meta,
  ],
  rules: [checkAnalyzers, checkSimilarity],
  build(name, values) {
    const maxSize = values.number('max_shingle_size', 3)
    const field = textField('search_as_you_type', name, values)
    if (!field.indexed) return field
    const sizes = Array.from({ length: maxSize - 1 }, (_, i) => i + 2)
    return {
      ...field,
      prefixes: { name: `${name}._index_prefix`, min: 1, max: MAX_PREFIX },
      // Phrases of several words need to know that these follow one another.
      shingles: sizes.map(size => ({ name: `${name}._${size}gram`, size })),
    }
  },
  derive(field) {
    const { prefixes, shingles } = field
    if (prefixes === null) return []
    // Rows of words have vectors where words have: these are made of the values when they are asked for.
    const vectors = [...field.parameters].filter(([name]) => name === termVector.name)
    const grams = shingles.map(({ name, size }) => ({
      ...derivedText(field, name, { kind: 'shingles', size }),
      parameters: new Map(vectors),
    }))
    const size = shingles[shingles.length - 1]?.size ?? 1
    const tail = { kind: 'shinglePrefixes', size, max: MAX_PREFIX } as const
    const beginnings = derivedText(field, prefixes.name, tail)
    return [...grams, { ...beginnings, indexOptions: 'docs', norms: false, prefixes: null }]
  },
  storage: tokenStorage,
  addValue: addText,
  refuseObject: refuseTextObject,
}
