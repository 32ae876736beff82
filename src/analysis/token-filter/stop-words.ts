/** Lists of stop words that options name, as `_english_`. */
import type { ComponentContext } from '../component.ts'
import { notSupported } from '../not-supported.ts'
import { type ComponentOptions, listOption, wordListOption } from '../options.ts'

/** Lucene's English stop words, `_english_`. */
export const ENGLISH_STOP_WORDS: readonly string[] = (
  'a an and are as at be but by for if in into is it no not of on or such that the their then ' +
  'there these they this to was will with'
).split(' ')

const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['_none_', []],
  ['_english_', ENGLISH_STOP_WORDS],
])

/**
 * The stop words of an analyzer or filter: a list, names of lists among its words, or a file.
 * @throws {IllegalArgumentError} a list that this build does not have, a file that is not there
 */
export function stopWords(
  options: ComponentOptions,
  context: ComponentContext,
  otherwise: readonly string[],
): readonly string[] {
  if (!options.has('stopwords') && !options.has('stopwords_path')) return otherwise
  const list = options.has('stopwords_path')
    ? (wordListOption(options, 'stopwords', context.words) ?? [])
    : listOption(options, 'stopwords')
  return list.flatMap(word => {
    const named = NAMED.get(word)
    if (named !== undefined) return named
    if (/^_[a-z]+_$/.test(word)) throw notSupported(`stopwords: ${word}`)
    return word === '' ? [] : [word]
  })
}
