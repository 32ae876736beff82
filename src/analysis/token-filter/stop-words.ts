/** Lists of stop words that options name, as `_english_`. */
import type { ComponentContext } from '../component.ts'
import { type ComponentOptions, listOrFileOption } from '../options.ts'
import { STOP_WORD_LISTS, WITH_EMPTY_WORD } from './generated/stop-words.ts'

/** Lucene's English stop words, `_english_`. */
export const ENGLISH_STOP_WORDS: readonly string[] = (
  'a an and are as at be but by for if in into is it no not of on or such that the their then ' +
  'there these they this to was will with'
).split(' ')

/** By language, once asked for. */
const READ = new Map<string, readonly string[]>([['english', ENGLISH_STOP_WORDS]])

/** The stop words of a language's analyzer. */
export function stopWordsOf(language: string): readonly string[] {
  let words = READ.get(language)
  if (words === undefined) {
    const listed = STOP_WORD_LISTS[language]?.split(/\s+/).filter(word => word !== '') ?? []
    words = WITH_EMPTY_WORD.has(language) ? [...listed, ''] : listed
    READ.set(language, words)
  }
  return words
}

/** The list that a word names, null where it is a word like others. */
function namedList(word: string): readonly string[] | null {
  const language = /^_([a-z]+)_$/.exec(word)?.[1]
  // cjk has words of its own but no name for them.
  if (language === undefined || language === 'cjk') return null
  if (language === 'none') return []
  const isList = language === 'english' || Object.hasOwn(STOP_WORD_LISTS, language)
  return isList ? stopWordsOf(language) : null
}

/**
 * The stop words of an analyzer or filter: a list, names of lists among its words, or a file.
 * A name that is no list's is a word.
 * @throws {IllegalArgumentError} a file that is not there
 */
export function stopWords(
  options: ComponentOptions,
  context: ComponentContext,
  otherwise: readonly string[],
): readonly string[] {
  return namedWords(options, 'stopwords', context) ?? otherwise
}

/** The words of an option, else of the file that `…_path` names; null where neither is given. */
export function namedWords(
  options: ComponentOptions,
  key: string,
  context: ComponentContext,
): readonly string[] | null {
  const list = listOrFileOption(options, key, context.words)
  return list?.flatMap(word => namedList(word) ?? (word === '' ? [] : [word])) ?? null
}
