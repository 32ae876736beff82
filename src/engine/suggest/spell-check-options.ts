/** Options of suggesters that look for similar terms; a request's floats are float32. */
import type { SpellCheck, SuggestMode } from '../../search/suggest/similar-terms.ts'
import { STRING_DISTANCES, type StringDistance } from '../../search/suggest/string-distance.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry } from '../../util/json/json-tree.ts'
import { readInteger, readNumber, readText } from '../dsl/json-scalars.ts'

/** As they are read. */
export type SpellCheckOptions = { -readonly [K in keyof SpellCheck]: SpellCheck[K] } & {
  mode: SuggestMode
}

/** The options of a suggester that says none. */
export function newSpellCheckOptions(): SpellCheckOptions {
  return {
    mode: 'missing',
    accuracy: 0.5,
    sort: 'score',
    distance: 'internal',
    maxEdits: 2,
    maxInspections: 5,
    maxTermFreq: Math.fround(0.01),
    prefixLength: 1,
    minWordLength: 4,
    minDocFreq: 0,
  }
}

/** Takes an option as the term suggester does; false: it is none. */
export function readSpellCheckOption(
  options: SpellCheckOptions,
  { key, value }: JsonEntry,
): boolean {
  switch (key) {
    case 'suggest_mode':
      options.mode = suggestModeOf(readText(value), text =>
        enumError('search.suggest.term.TermSuggestionBuilder.SuggestMode', text),
      )
      return true
    case 'accuracy':
      options.accuracy = Math.fround(readNumber(value))
      if (options.accuracy < 0 || options.accuracy > 1)
        throw new IllegalArgumentError('accuracy must be between 0 and 1')
      return true
    case 'sort':
      options.sort = sortOf(readText(value))
      return true
    case 'string_distance':
      options.distance = stringDistanceOf(readText(value))
      return true
    case 'max_edits':
      options.maxEdits = maxEditsOf(readInteger(value), 'maxEdits must be between 1 and 2')
      return true
    case 'max_inspections':
      options.maxInspections = atLeast(readInteger(value), 0, 'maxInspections must be positive')
      return true
    case 'max_term_freq':
      options.maxTermFreq = frequency(readNumber(value), 'maxTermFreq')
      return true
    case 'prefix_length':
      options.prefixLength = atLeast(readInteger(value), 0, 'prefixLength must be positive')
      return true
    case 'min_word_length':
      options.minWordLength = atLeast(
        readInteger(value),
        1,
        'minWordLength must be greater or equal to 1',
      )
      return true
    case 'min_doc_freq':
      options.minDocFreq = frequency(readNumber(value), 'minDocFreq')
      return true
    default:
      return false
  }
}

/** Which words are corrected. */
export function suggestModeOf(text: string, errorOf: (text: string) => Error): SuggestMode {
  const mode = text.toLowerCase()
  if (mode === 'missing' || mode === 'popular' || mode === 'always') return mode
  throw errorOf(text)
}

function sortOf(text: string): SpellCheck['sort'] {
  const sort = text.toLowerCase()
  if (sort === 'score' || sort === 'frequency') return sort
  throw enumError('search.suggest.SortBy', text)
}

function stringDistanceOf(text: string): StringDistance {
  const name = text.toLowerCase()
  if (Object.hasOwn(STRING_DISTANCES, name)) return name as StringDistance
  throw new IllegalArgumentError(`Illegal distance option ${text}`)
}

/** One or two edits. */
export function maxEditsOf(edits: number, reason: string): 1 | 2 {
  if (edits === 1 || edits === 2) return edits
  throw new IllegalArgumentError(reason)
}

function atLeast(value: number, least: number, reason: string): number {
  if (value < least) throw new IllegalArgumentError(reason)
  return value
}

/** A share of the documents up to 1, a number of them above. */
function frequency(given: number, name: string): number {
  const value = Math.fround(given)
  if (value < 0) throw new IllegalArgumentError(`${name} must be positive`)
  if (value > 1 && !Number.isInteger(value))
    throw new IllegalArgumentError(`if ${name} is greater than 1, it must not be a fraction`)
  return value
}

function enumError(name: string, text: string): Error {
  return new IllegalArgumentError(`No enum constant org.opensearch.${name}.${text.toUpperCase()}`)
}
