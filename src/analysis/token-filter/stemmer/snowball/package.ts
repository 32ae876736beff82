/**
 * Snowball's stemmers that the package `snowball-stemmers` has in the version of Lucene 8. They take
 * microseconds a word; the filters keep what became of words.
 */
import { createRequire } from 'node:module'
import type { TermFunction } from '../../term-filter.ts'

/** Languages of the package, by their name there. */
export type PackageLanguage =
  | 'arabic'
  | 'armenian'
  | 'basque'
  | 'catalan'
  | 'danish'
  | 'dutch'
  | 'finnish'
  | 'french'
  | 'irish'
  | 'italian'
  | 'norwegian'
  | 'porter'
  | 'romanian'
  | 'russian'
  | 'spanish'
  | 'swedish'
  | 'turkish'

interface Stemmer {
  stem(word: string): string
}

const made = new Map<PackageLanguage, TermFunction>()

/** The stemmer of a language, loaded with the first word that it stems. */
export function packageStemmer(language: PackageLanguage): TermFunction {
  const before = made.get(language)
  if (before !== undefined) return before
  let stemmer: Stemmer | null = null
  const stem: TermFunction = term => {
    stemmer ??= loadStemmer(language)
    return stemmer.stem(term)
  }
  made.set(language, stem)
  return stem
}

function loadStemmer(language: PackageLanguage): Stemmer {
  // Half a megabyte of source that most processes never need.
  const { newStemmer } = createRequire(import.meta.url)('snowball-stemmers') as {
    newStemmer(name: string): Stemmer
  }
  const stemmer = newStemmer(language)
  return language === 'arabic' ? keepingPunctuation(stemmer) : stemmer
}

/** Marks that the package's Arabic takes out of words and Lucene's does not. */
const MARKS = '!"%*,./:;?\\\u060c\u061b\u061f\u066a\u066b\u066c'
const MARK = new RegExp(`[${MARKS.replace('\\', '\\\\')}]`, 'g')
/** Letters of no language that stand for them meanwhile. */
const FIRST_PRIVATE = 0xe000
const PRIVATE = new RegExp(
  `[\\u${FIRST_PRIVATE.toString(16)}-\\u${(FIRST_PRIVATE + MARKS.length - 1).toString(16)}]`,
  'g',
)

function keepingPunctuation(stemmer: Stemmer): Stemmer {
  return {
    stem(word) {
      const hidden = word.replace(MARK, mark =>
        String.fromCharCode(FIRST_PRIVATE + MARKS.indexOf(mark)),
      )
      if (hidden === word) return stemmer.stem(word)
      return stemmer
        .stem(hidden)
        .replace(PRIVATE, letter => MARKS[letter.charCodeAt(0) - FIRST_PRIVATE]!)
    },
  }
}
