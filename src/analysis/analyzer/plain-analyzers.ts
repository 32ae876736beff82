/** Built-in analyzers by type, but those of languages. */
import type { AnalyzerFactory, AnalyzerParts, ComponentContext } from '../component.ts'
import { booleanOption, type ComponentOptions, NO_OPTIONS } from '../options.ts'
import { lowercaseFilter } from '../token-filter/lowercase-filter.ts'
import { stopFilter } from '../token-filter/stop-filter.ts'
import { ENGLISH_STOP_WORDS, stopWords } from '../token-filter/stop-words.ts'
import { TOKENIZERS } from '../tokenizer/factories.ts'

/** Type → factory. */
export const PLAIN_ANALYZERS: ReadonlyMap<string, AnalyzerFactory> = new Map<
  string,
  AnalyzerFactory
>([
  ['standard', (_name, options, context) => chain('standard', true, [], options, context)],
  ['default', (_name, options, context) => chain('standard', true, [], options, context)],
  ['simple', (_name, _options, context) => chain('lowercase', false, null, NO_OPTIONS, context)],
  [
    'whitespace',
    (_name, _options, context) => chain('whitespace', false, null, NO_OPTIONS, context),
  ],
  ['keyword', (_name, _options, context) => chain('keyword', false, null, NO_OPTIONS, context)],
  [
    'stop',
    (_name, options, context) => chain('lowercase', false, ENGLISH_STOP_WORDS, options, context),
  ],
  [
    'pattern',
    (_name, options, context) =>
      chain('pattern', booleanOption(options, 'lowercase', true), [], options, context),
  ],
])

/**
 * A tokenizer, lower case if wanted, stop words if any.
 * @param otherwise stop words where the options name none; null where they have no say
 */
function chain(
  tokenizerType: string,
  lowercase: boolean,
  otherwise: readonly string[] | null,
  options: ComponentOptions,
  context: ComponentContext,
): AnalyzerParts {
  const words = otherwise === null ? [] : stopWords(options, context, otherwise)
  const filters = lowercase ? [lowercaseFilter('lowercase', NO_OPTIONS, context)] : []
  if (words.length > 0) {
    const stopOptions = new Map([['stopwords', words]])
    filters.push(stopFilter('stop', stopOptions, context))
  }
  return {
    charFilters: [],
    tokenizer: TOKENIZERS.get(tokenizerType)!(tokenizerType, options, context),
    filters,
  }
}
